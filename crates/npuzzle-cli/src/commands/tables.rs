//! `npuzzle tables`: lists, builds, verifies and removes stored tables.

use std::time::Instant;

use npuzzle::tables::{
    Store, StoreError, StoreWarning, StoredTable, TableName, TableSpec, catalogue, full_table_named,
};
use npuzzle::{Dims, Limit, Watch};
use serde::Serialize;

use crate::args::{TablesArgs, TablesCommand};
use crate::exit::{Exit, Failure};
use crate::io::output::Output;
use crate::io::{signals, units};
use crate::messages;
use crate::report::json_line;
use crate::report::progress::ShareProgress;

pub(crate) fn run(args: &TablesArgs) -> Result<Exit, Failure> {
    let store = args.folder.store();
    if store.folder().is_none() {
        return Err(Failure::usage(
            "no folder for tables: name one with --cache or the variable NPUZZLE_CACHE",
        )
        .with_exit(Exit::File));
    }
    let mut output = Output::open(None)?;
    let stored = store.list().map_err(failure)?;
    let tables = TableList { specs: table_specs(&stored), stored, store };
    match &args.command {
        TablesCommand::List { json } => tables.list(*json, &mut output),
        TablesCommand::Build { names, threads } => {
            tables.build(names, threads.count(), &mut output)
        }
        TablesCommand::Verify { names, deep, threads } => {
            tables.verify(names, deep.then(|| threads.count()), &mut output)
        }
        TablesCommand::Remove { names } => tables.remove(names, &mut output),
    }
}

/// The tables of the catalogue, and other full tables that are stored.
fn table_specs(stored: &[StoredTable]) -> Vec<TableSpec> {
    let mut specs = catalogue();
    for spec in stored.iter().filter_map(|stored| full_table_named(&stored.name)) {
        if specs.iter().all(|known| known.name() != spec.name()) {
            specs.push(spec);
        }
    }
    specs
}

/// The tables that can be built, and those that are stored.
struct TableList {
    specs: Vec<TableSpec>,
    stored: Vec<StoredTable>,
    store: Store,
}

/// The result of a verification.
enum Verification {
    Intact,
    Absent,
    /// The checksum is right, but an entry is wrong.
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

impl TableList {
    fn list(&self, json: bool, output: &mut Output) -> Result<Exit, Failure> {
        let known = self.specs.iter().map(|spec| self.row(spec.name()));
        let others = self.stored.iter().filter(|stored| self.spec(&stored.name).is_none());
        let rows: Vec<Row<'_>> = known.chain(others.map(|stored| self.row(&stored.name))).collect();
        if json {
            for row in &rows {
                output.write(json_line(row)?.as_bytes())?;
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
        let spec = self.spec(name);
        let stored = self.stored(name);
        let expected = spec.map(|spec| spec.len() as u64);
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
            purpose: spec.map(TableSpec::purpose),
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
        let all = self.specs.iter().map(TableSpec::name);
        let names = select(names, all.clone(), all.cloned().collect())?;
        // A folder that cannot be written is reported before minutes of building.
        self.store.prepare().map_err(failure)?;
        let cancel = signals::cancel()?;
        let mut exit = Exit::Yes;
        for spec in names.iter().filter_map(|name| self.spec(name)) {
            let started = Instant::now();
            let mut progress = ShareProgress::new(cancel.clone(), spec.name());
            let loaded = spec.get(&self.store, threads, &mut progress);
            drop(progress);
            let loaded = match loaded {
                Ok(loaded) => loaded,
                Err(limit) => return Ok(stopped(spec.name(), limit)),
            };
            loaded.warnings.iter().for_each(messages::warning);
            if loaded.warnings.iter().any(|warning| matches!(warning, StoreWarning::NotKept(_))) {
                exit = Exit::File;
                continue;
            }
            let state = if loaded.is_built { "built  " } else { "present" };
            let (size, seconds) = (units::size(spec.len() as u64), started.elapsed().as_secs_f64());
            let line = format!("{state} {} ({size}, {seconds:.1} s)\n", spec.name());
            output.write(line.as_bytes())?;
        }
        Ok(exit)
    }

    /// Verifies checksums; with `deep`, also every entry, on that many threads.
    fn verify(
        &self,
        names: &[String],
        deep: Option<usize>,
        output: &mut Output,
    ) -> Result<Exit, Failure> {
        let stored: Vec<TableName> = self.stored.iter().map(|stored| stored.name.clone()).collect();
        let others = other_tables(names);
        let names = select(names, self.known().chain(&others), stored)?;
        if names.is_empty() {
            messages::note("no tables to verify");
        }
        let cancel = signals::cancel()?;
        let mut exit = Exit::Yes;
        for name in &names {
            let mut progress = ShareProgress::new(cancel.clone(), name);
            let verification = self.verify_one(name, deep, &mut progress);
            drop(progress);
            let (line, code) = match verification {
                Ok(Verification::Intact) => (format!("intact  {name}\n"), Exit::Yes),
                Ok(Verification::Absent) => (format!("absent  {name}\n"), Exit::No),
                Ok(Verification::Wrong(flaw)) => (format!("damaged {name}: {flaw}\n"), Exit::No),
                Err(StoreError::Stopped(limit)) => return Ok(stopped(name, limit)),
                Err(error @ StoreError::Damaged { .. }) => {
                    (format!("damaged {name}: {}\n", reason(&error)), Exit::No)
                }
                Err(error) => {
                    messages::error(error);
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
    ) -> Result<Verification, StoreError> {
        let Some(spec) = self.spec(name) else {
            if deep.is_some() {
                let message = "unknown to this version: only its checksum is verified";
                messages::note(format!("{name}: {message}"));
            }
            let found = self.store.verify(name, watch)?;
            return Ok(found.map_or(Verification::Absent, |_| Verification::Intact));
        };
        let Some(bytes) = spec.load(&self.store, watch)? else { return Ok(Verification::Absent) };
        let Some(threads) = deep else { return Ok(Verification::Intact) };
        let flaw = spec.verify(&bytes, threads, watch).map_err(StoreError::Stopped)?;
        Ok(flaw.map_or(Verification::Intact, Verification::Wrong))
    }

    fn remove(&self, names: &[String], output: &mut Output) -> Result<Exit, Failure> {
        let known: Vec<TableName> = self.known().cloned().collect();
        let others = other_tables(names);
        for name in select(names, self.known().chain(&others), known)? {
            let is_removed = self.store.remove(&name).map_err(failure)?;
            if is_removed {
                output.write(format!("removed {name}\n").as_bytes())?;
            } else if !is_all(names) {
                output.write(format!("absent  {name}\n").as_bytes())?;
            }
        }
        Ok(Exit::Yes)
    }

    fn spec(&self, name: &TableName) -> Option<&TableSpec> {
        self.specs.iter().find(|spec| spec.name() == name)
    }

    fn stored(&self, name: &TableName) -> Option<&StoredTable> {
        self.stored.iter().find(|stored| stored.name == *name)
    }

    /// The names of all tables that can be built or are stored.
    fn known(&self) -> impl Iterator<Item = &TableName> + Clone {
        let others = self.stored.iter().map(|stored| &stored.name);
        let others = others.filter(|name| self.spec(name).is_none());
        self.specs.iter().map(TableSpec::name).chain(others)
    }
}

/// Whether all tables are selected: by the word `all`, or by no name.
fn is_all(names: &[String]) -> bool {
    names.is_empty() || names.iter().any(|name| name == "all")
}

/// Selects tables by name or by a unique prefix of a name; `all` if no name is given.
fn select<'a>(
    names: &[String],
    known: impl Iterator<Item = &'a TableName> + Clone,
    all: Vec<TableName>,
) -> Result<Vec<TableName>, Failure> {
    if is_all(names) {
        return Ok(all);
    }
    let find = |name: &String| {
        let exact = known.clone().find(|known| known.as_str() == name);
        let starts = |known: &&TableName| known.as_str().starts_with(&**name);
        let matches: Vec<&TableName> = known.clone().filter(starts).collect();
        let (message, names) = match (exact, &matches[..]) {
            (Some(table), _) => return Ok(table.clone()),
            (None, [table]) => return Ok(TableName::clone(table)),
            (None, []) => match known.clone().find(|known| transposed(name) == known.as_str()) {
                Some(table) => ("is not a table; did you mean", vec![table]),
                None => ("is not a table; the tables are", known.clone().collect()),
            },
            (None, _) => ("is the beginning of several tables:", matches),
        };
        let names: Vec<&str> = names.into_iter().map(TableName::as_str).collect();
        Err(Failure::usage(format!("{name:?} {message}\n  {}", names.join("\n  "))))
    };
    names.iter().map(find).collect()
}

/// The name of a table with rows and columns exchanged.
fn transposed(name: &str) -> String {
    let mut words: Vec<&str> = name.split('-').collect();
    let sides = words.get(1).and_then(|size| size.split_once('x'));
    let size = sides.map(|(rows, cols)| format!("{cols}x{rows}")).unwrap_or_default();
    if let Some(word) = words.get_mut(1) {
        *word = &size;
    }
    words.join("-")
}

/// The complete names of tables outside the catalogue, which may have been stored and removed.
fn other_tables(names: &[String]) -> Vec<TableName> {
    let is_complete = |name: &&String| {
        let mut words = name.split('-');
        let is_kind = matches!(words.next(), Some("full" | "mtm" | "patterns"));
        let size = words.next().and_then(|size| size.parse().ok());
        let is_canonical = size.is_some_and(|size: Dims| size.rows() >= size.cols());
        is_kind && is_canonical && words.next().is_some_and(|blank| !blank.is_empty())
    };
    names.iter().filter(is_complete).filter_map(|name| name.parse().ok()).collect()
}

fn stopped(name: &TableName, limit: Limit) -> Exit {
    messages::note(format!("{limit}: {name} is unchanged"));
    limit.into()
}

/// The error without the path.
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
