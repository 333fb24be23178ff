//! A small reader and interpreter of planning tasks in PDDL with the requirements `:strips` and `:typing`.

use std::collections::{BTreeMap, BTreeSet};

/// A symbol or a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    /// A word.
    Symbol(String),
    /// A list in parentheses.
    List(Vec<Expression>),
}

/// A fact: a predicate and its arguments.
pub type Fact = Vec<String>;

/// A planning task.
#[derive(Clone, Debug)]
pub struct PlanningTask {
    actions: Vec<Action>,
    /// The objects of each type.
    objects: BTreeMap<String, Vec<String>>,
    /// The facts of the first state.
    pub init: BTreeSet<Fact>,
    /// The facts that must hold at the end.
    pub goal: BTreeSet<Fact>,
}

#[derive(Clone, Debug)]
struct Action {
    name: String,
    /// Names and types.
    parameters: Vec<(String, String)>,
    precondition: Vec<Fact>,
    added: Vec<Fact>,
    deleted: Vec<Fact>,
}

/// Reads the only expression of a text.
///
/// # Panics
/// If the parentheses do not match, or there is more than one expression.
pub fn parse(text: &str) -> Expression {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut open = vec![Vec::new()];
    for word in spaced.split_whitespace() {
        match word {
            "(" => open.push(Vec::new()),
            ")" => {
                let list = Expression::List(open.pop().unwrap_or_default());
                open.last_mut().unwrap_or_else(|| panic!("too many `)`")).push(list);
            }
            word => {
                let last = open.last_mut().unwrap_or_else(|| panic!("too many `)`"));
                last.push(Expression::Symbol(word.to_owned()));
            }
        }
    }
    let [mut all] =
        <[Vec<Expression>; 1]>::try_from(open).unwrap_or_else(|_| panic!("a `)` is missing"));
    assert_eq!(all.len(), 1, "one expression is expected");
    all.remove(0)
}

impl Expression {
    fn list(&self) -> &[Expression] {
        match self {
            Expression::List(list) => list,
            Expression::Symbol(symbol) => panic!("expected a list, found {symbol}"),
        }
    }

    fn symbol(&self) -> &str {
        match self {
            Expression::Symbol(symbol) => symbol,
            Expression::List(list) => panic!("expected a symbol, found {list:?}"),
        }
    }

    fn fact(&self) -> Fact {
        self.list().iter().map(|word| word.symbol().to_owned()).collect()
    }

    /// The items of `(and …)`.
    fn conjunction(&self) -> &[Expression] {
        let [and, items @ ..] = self.list() else { panic!("an empty list") };
        assert_eq!(and.symbol(), "and");
        items
    }
}

/// Reads `a b - type c - other` as pairs of names and types.
fn typed(words: &[Expression]) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut names = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word.symbol() != "-" {
            names.push(word.symbol().to_owned());
            continue;
        }
        let of_type = words.next().unwrap_or_else(|| panic!("no type after -")).symbol();
        pairs.extend(names.drain(..).map(|name| (name, of_type.to_owned())));
    }
    assert!(names.is_empty(), "{names:?} have no type");
    pairs
}

/// The parts of `(define (kind name) part…)` after checking the kind, by their first word.
fn definition<'a>(expression: &'a Expression, kind: &str) -> (&'a str, Vec<&'a [Expression]>) {
    let [define, head, parts @ ..] = expression.list() else { panic!("not a definition") };
    assert_eq!(define.symbol(), "define");
    let [found, name] = head.list() else { panic!("no name") };
    assert_eq!(found.symbol(), kind);
    (name.symbol(), parts.iter().map(Expression::list).collect())
}

fn part<'a>(parts: &[&'a [Expression]], name: &str) -> &'a [Expression] {
    let part = parts.iter().find(|part| part[0].symbol() == name);
    &part.unwrap_or_else(|| panic!("no part {name}"))[1..]
}

impl PlanningTask {
    /// Reads a domain and a problem. Every name that is used must be declared, with the declared number of arguments.
    ///
    /// # Panics
    /// If a text is not of this form.
    pub fn read(domain: &str, problem: &str) -> PlanningTask {
        let (domain, problem) = (parse(domain), parse(problem));
        let (domain_name, domain) = definition(&domain, "domain");
        let (_, problem) = definition(&problem, "problem");
        assert_eq!(part(&problem, ":domain")[0].symbol(), domain_name);
        let mut objects: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for of_type in part(&domain, ":types") {
            objects.insert(of_type.symbol().to_owned(), Vec::new());
        }
        for (name, of_type) in typed(part(&problem, ":objects")) {
            objects.get_mut(&of_type).unwrap_or_else(|| panic!("no type {of_type}")).push(name);
        }
        let predicates: BTreeMap<String, usize> = part(&domain, ":predicates")
            .iter()
            .map(|p| (p.list()[0].symbol().to_owned(), typed(&p.list()[1..]).len()))
            .collect();
        let known = |facts: &[Fact]| {
            for fact in facts {
                assert_eq!(predicates.get(&fact[0]), Some(&(fact.len() - 1)), "{fact:?}");
            }
        };
        let actions: Vec<Action> = domain
            .iter()
            .filter(|part| part[0].symbol() == ":action")
            .map(|part| action(part))
            .collect();
        for action in &actions {
            [&action.precondition, &action.added, &action.deleted]
                .into_iter()
                .for_each(|f| known(f));
        }
        let init: Vec<Fact> = part(&problem, ":init").iter().map(Expression::fact).collect();
        let goal: Vec<Fact> =
            part(&problem, ":goal")[0].conjunction().iter().map(Expression::fact).collect();
        known(&init);
        known(&goal);
        PlanningTask {
            actions,
            objects,
            init: init.into_iter().collect(),
            goal: goal.into_iter().collect(),
        }
    }

    /// Returns the actions that are possible in a state: their names, and the states after them.
    pub fn successors(&self, state: &BTreeSet<Fact>) -> Vec<(String, BTreeSet<Fact>)> {
        let mut successors = Vec::new();
        for action in &self.actions {
            let mut bindings = vec![BTreeMap::new()];
            for (parameter, of_type) in &action.parameters {
                let with = |binding: &BTreeMap<String, String>| {
                    let binding = binding.clone();
                    let objects = self.objects[of_type].iter();
                    objects
                        .map(move |object| {
                            let mut binding = binding.clone();
                            binding.insert(parameter.clone(), object.clone());
                            binding
                        })
                        .collect::<Vec<_>>()
                };
                bindings = bindings.iter().flat_map(with).collect();
            }
            for binding in bindings {
                let bound = |fact: &Fact| -> Fact {
                    fact.iter().map(|word| binding.get(word).unwrap_or(word).clone()).collect()
                };
                if action.precondition.iter().all(|fact| state.contains(&bound(fact))) {
                    let mut next = state.clone();
                    for fact in &action.deleted {
                        next.remove(&bound(fact));
                    }
                    next.extend(action.added.iter().map(bound));
                    successors.push((action.name.clone(), next));
                }
            }
        }
        successors
    }
}

fn action(part: &[Expression]) -> Action {
    let [_, name, rest @ ..] = part else { panic!("no name") };
    let value = |key: &str| {
        let at = rest
            .iter()
            .position(|word| matches!(word, Expression::Symbol(symbol) if symbol == key));
        &rest[at.unwrap_or_else(|| panic!("no {key}")) + 1]
    };
    let (mut added, mut deleted) = (Vec::new(), Vec::new());
    for effect in value(":effect").conjunction() {
        match effect.list() {
            [Expression::Symbol(symbol), fact] if symbol == "not" => deleted.push(fact.fact()),
            _ => added.push(effect.fact()),
        }
    }
    Action {
        name: name.symbol().to_owned(),
        parameters: typed(value(":parameters").list()),
        precondition: value(":precondition").conjunction().iter().map(Expression::fact).collect(),
        added,
        deleted,
    }
}
