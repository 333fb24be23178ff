//! `npuzzle tables`: what is stored, what can be, and both made one.

use std::time::Instant;

use npuzzle::tables::{
    Store, StoreError, StoreWarning, Stored, TableName, TableSpec, catalogue, full_table_named,
};
use npuzzle::{Limit, Watch};
use serde::Serialize;

use crate::args::{TablesArgs, TablesVerb};
use crate::exit::{self, Exit, Failure};
use crate::io::output::Output;
use crate::io::units;
use crate::report::progress::BuildProgress;

pub(crate) fn run(args: &TablesArgs) -> Result<Exit, Failure> {
    let store = args.folder.store();
    if store.folder().is_none() {
        return Err(Failure::usage(
            "there is no folder for tables: name one by --cache or the variable NPUZZLE_CACHE",
        )
        .with_exit(Exit::File));
    }
    let mut output = Output::open(None)?;
    let stored = store.list().map_err(failure)?;
    let tables = Tables { recipes: recipes(&stored), stored, store };
    match &args.verb {
        TablesVerb::List { json } => tables.list(*json, &mut output),
        TablesVerb::Build { names, threads } => {
            tables.build(names, npuzzle::tables::n_threads(*threads), &mut output)
        }
        TablesVerb::Verify { names, deep, threads } => {
            let deep = deep.then(|| npuzzle::tables::n_threads(*threads));
            tables.verify(names, deep, &mut output)
        }
        TablesVerb::Remove { names } => tables.remove(names, &mut output),
    }
}

/// The tables of the catalogue, and those of all distances that are there beside them.
fn recipes(stored: &[Stored]) -> Vec<TableSpec> {
    let mut recipes = catalogue();
    for recipe in stored.iter().filter_map(|stored| full_table_named(&stored.name)) {
        if recipes.iter().all(|known| known.name() != recipe.name()) {
            recipes.push(recipe);
        }
    }
    recipes
}

/// The tables that can be built and those that are there.
struct Tables {
    recipes: Vec<TableSpec>,
    stored: Vec<Stored>,
    store: Store,
}

/// What came of a check.
enum Verdict {
    Right,
    Absent,
    /// Its checksum is right, and something else is not.
    Wrong(String),
}

/// A table as `list` shows it.
#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    state: &'static str,
    bytes: u64,
    purpose: Option<&'a str>,
    path: String,
    reason: Option<String>,
}

impl Tables {
    fn list(&self, json: bool, output: &mut Output) -> Result<Exit, Failure> {
        let known = self.recipes.iter().map(|recipe| self.row(recipe.name()));
        let others = self.stored.iter().filter(|stored| self.recipe(&stored.name).is_none());
        let rows: Vec<Row<'_>> = known.chain(others.map(|stored| self.row(&stored.name))).collect();
        if json {
            for row in &rows {
                let line =
                    serde_json::to_string(row).map_err(|error| Failure::io("json", &error))?;
                output.write(format!("{line}\n").as_bytes())?;
            }
            return Ok(Exit::Yes);
        }
        let folder = self.store.folder().unwrap_or("".as_ref());
        output.write(format!("folder: {}\n", folder.display()).as_bytes())?;
        let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
        for row in rows {
            let Row { name, state, bytes, .. } = row;
            let purpose =
                row.reason.as_deref().or(row.purpose).unwrap_or("unknown to this version");
            let size = units::size(bytes);
            let line = format!("{state:<8}{size:>9}  {name:<width$}  {purpose}\n");
            output.write(line.as_bytes())?;
        }
        Ok(Exit::Yes)
    }

    fn row<'a>(&'a self, name: &'a TableName) -> Row<'a> {
        let recipe = self.recipe(name);
        let stored = self.stored(name);
        let expected = recipe.map(|recipe| recipe.len() as u64);
        let (state, reason) = match stored.map(|stored| &stored.len) {
            None => ("absent", None),
            Some(Err(error)) => ("damaged", Some(reason(error))),
            Some(Ok(len)) if expected.is_some_and(|expected| *len != expected) => {
                ("damaged", Some(format!("{len} bytes instead of {}", expected.unwrap_or(0))))
            }
            Some(Ok(_)) => ("present", None),
        };
        Row {
            name: name.as_str(),
            state,
            bytes: expected.or(stored.map(|stored| stored.file_len)).unwrap_or(0),
            purpose: recipe.map(TableSpec::purpose),
            path: self.store.path(name).map(|path| path.display().to_string()).unwrap_or_default(),
            reason,
        }
    }

    fn build(
        &self,
        names: &[String],
        threads: usize,
        output: &mut Output,
    ) -> Result<Exit, Failure> {
        let all = self.recipes.iter().map(TableSpec::name);
        let names = named(names, all.clone(), all.cloned().collect())?;
        // Better now than after minutes of building.
        self.store.prepare().map_err(failure)?;
        let cancel = crate::io::signals::cancel()?;
        let mut exit = Exit::Yes;
        for recipe in names.iter().filter_map(|name| self.recipe(name)) {
            let started = Instant::now();
            let mut progress = BuildProgress::new(cancel.clone(), recipe.name());
            let got = recipe.get(&self.store, threads, &mut progress);
            drop(progress);
            let got = match got {
                Ok(got) => got,
                Err(limit) => return Ok(stopped(recipe.name(), limit)),
            };
            got.warnings.iter().for_each(|warning| exit::complain(format!("warning: {warning}")));
            if got.warnings.iter().any(|warning| matches!(warning, StoreWarning::NotKept(_))) {
                exit = Exit::File;
                continue;
            }
            let (word, seconds) =
                (if got.is_built { "built  " } else { "present" }, started.elapsed().as_secs_f64());
            let size = units::size(recipe.len() as u64);
            let line = format!("{word} {} ({size}, {seconds:.1} s)\n", recipe.name());
            output.write(line.as_bytes())?;
        }
        Ok(exit)
    }

    /// Compares with checksums; with `deep`, on so many threads, also with the rules of each table.
    fn verify(
        &self,
        names: &[String],
        deep: Option<usize>,
        output: &mut Output,
    ) -> Result<Exit, Failure> {
        let there: Vec<TableName> = self.stored.iter().map(|stored| stored.name.clone()).collect();
        let names = named(names, self.known(), there)?;
        if names.is_empty() {
            exit::tell("there are no tables to verify");
        }
        let cancel = crate::io::signals::cancel()?;
        let mut exit = Exit::Yes;
        for name in &names {
            let mut progress = BuildProgress::new(cancel.clone(), name);
            let verdict = self.verify_one(name, deep, &mut progress);
            drop(progress);
            let (line, code) = match verdict {
                Ok(Verdict::Right) => (format!("right   {name}\n"), Exit::Yes),
                Ok(Verdict::Absent) => (format!("absent  {name}\n"), Exit::No),
                Ok(Verdict::Wrong(flaw)) => (format!("damaged {name}: {flaw}\n"), Exit::No),
                Err(StoreError::Stopped(limit)) => return Ok(stopped(name, limit)),
                Err(error @ StoreError::Damaged { .. }) => {
                    (format!("damaged {name}: {}\n", reason(&error)), Exit::No)
                }
                Err(error) => {
                    exit::complain(error);
                    (String::new(), Exit::File)
                }
            };
            output.write(line.as_bytes())?;
            exit = exit.worse(code);
        }
        Ok(exit)
    }

    fn verify_one(
        &self,
        name: &TableName,
        deep: Option<usize>,
        watch: &mut dyn Watch,
    ) -> Result<Verdict, StoreError> {
        let Some(recipe) = self.recipe(name) else {
            if deep.is_some() {
                exit::tell(format!(
                    "{name}: this version knows no rules for it, just its checksum"
                ));
            }
            let found = self.store.verify(name, watch)?;
            return Ok(found.map_or(Verdict::Absent, |_| Verdict::Right));
        };
        let Some(bytes) = recipe.load(&self.store, watch)? else { return Ok(Verdict::Absent) };
        let Some(threads) = deep else { return Ok(Verdict::Right) };
        let flaw = recipe.verify(&bytes, threads, watch).map_err(StoreError::Stopped)?;
        Ok(flaw.map_or(Verdict::Right, Verdict::Wrong))
    }

    fn remove(&self, names: &[String], output: &mut Output) -> Result<Exit, Failure> {
        let known: Vec<TableName> = self.known().cloned().collect();
        for name in named(names, self.known(), known)? {
            let was_there = self.store.remove(&name).map_err(failure)?;
            if was_there {
                output.write(format!("removed {name}\n").as_bytes())?;
            } else if !is_all(names) {
                output.write(format!("absent  {name}\n").as_bytes())?;
            }
        }
        Ok(Exit::Yes)
    }

    fn recipe(&self, name: &TableName) -> Option<&TableSpec> {
        self.recipes.iter().find(|recipe| recipe.name() == name)
    }

    fn stored(&self, name: &TableName) -> Option<&Stored> {
        self.stored.iter().find(|stored| stored.name == *name)
    }

    /// All names that mean something: of tables that can be built, and of those that are there.
    fn known(&self) -> impl Iterator<Item = &TableName> + Clone {
        let others = self.stored.iter().map(|stored| &stored.name);
        let others = others.filter(|name| self.recipe(name).is_none());
        self.recipes.iter().map(TableSpec::name).chain(others)
    }
}

/// Whether all are meant: by the word, or by none.
fn is_all(names: &[String]) -> bool {
    names.is_empty() || names.iter().any(|name| name == "all")
}

/// The tables that are asked for by name, or by a beginning that fits one name alone, each of which
/// must be known; or all that may be meant.
fn named<'a>(
    names: &[String],
    known: impl Iterator<Item = &'a TableName> + Clone,
    all: Vec<TableName>,
) -> Result<Vec<TableName>, Failure> {
    if is_all(names) {
        return Ok(all);
    }
    let find = |name: &String| {
        let exact = known.clone().find(|known| known.as_str() == name);
        let mut beginning = known.clone().filter(|known| known.as_str().starts_with(&**name));
        let only = beginning.next().filter(|_| beginning.next().is_none());
        exact.or(only).cloned().ok_or_else(|| {
            let known: Vec<&str> = known.clone().map(TableName::as_str).collect();
            Failure::usage(format!(
                "{name:?} is not a table, nor the beginning of one name alone; known are\n  {}",
                known.join("\n  ")
            ))
        })
    };
    names.iter().map(find).collect()
}

fn stopped(name: &TableName, limit: Limit) -> Exit {
    exit::tell(format!("{limit}: {name} is as it was"));
    if limit == Limit::Interrupted { Exit::Interrupted } else { Exit::Limit }
}

/// What is wrong, without the path.
fn reason(error: &StoreError) -> String {
    match error {
        StoreError::Damaged { damage, .. } => damage.to_string(),
        StoreError::Io { error, .. } => error.to_string(),
        StoreError::Stopped(limit) => limit.to_string(),
        other => other.to_string(),
    }
}

fn failure(error: StoreError) -> Failure {
    Failure::usage(error).with_exit(Exit::File)
}
