"""The stubs, the docstrings and the tutorial agree with the module."""

import ast
import doctest
import importlib.metadata
import inspect
import io
import json
from contextlib import redirect_stdout
from pathlib import Path

import pytest

import npuzzle
import npuzzle._npuzzle as native
import npuzzle.env

STUBS = ast.parse(Path(native.__file__).with_name("_npuzzle.pyi").read_text())
TUTORIAL = Path(__file__).parents[1] / "tutorial.ipynb"


def is_public(name):
    return not name.startswith("_")


def fields(name):
    """Returns the fields of a TypedDict of the stubs, including inherited ones."""
    node = next(node for node in STUBS.body if isinstance(node, ast.ClassDef) and node.name == name)
    inherited = [base.id for base in node.bases if base.id != "TypedDict"]
    own = {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}
    return own.union(*(fields(base) for base in inherited))


def parameters(function):
    args = function.args
    names = {arg.arg for arg in args.posonlyargs + args.args + args.kwonlyargs}
    return names | fields(args.kwarg.annotation.slice.id) if args.kwarg else names


def test_stubs_have_the_names_of_the_module():
    stubbed = {node.name for node in STUBS.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert {name for name in stubbed if is_public(name)} == {name for name in dir(native) if is_public(name)}
    assert set(npuzzle.__all__) == {name for name in dir(native) if is_public(name)} | {
        "InputError", "LimitReached", "NpuzzleError", "PlanError", "__version__",
    }


@pytest.mark.parametrize("node", [n for n in STUBS.body if isinstance(n, ast.FunctionDef)], ids=lambda n: n.name)
def test_stubs_have_the_signatures_of_the_functions(node):
    signature = inspect.signature(getattr(native, node.name))
    assert parameters(node) == set(signature.parameters)
    defaults = {arg.arg: default for arg, default in zip(node.args.kwonlyargs, node.args.kw_defaults) if default}
    for name, default in defaults.items():
        assert ast.literal_eval(default) == signature.parameters[name].default, name


@pytest.mark.parametrize("node", [n for n in STUBS.body if isinstance(n, ast.ClassDef)], ids=lambda n: n.name)
def test_stubs_have_the_members_of_the_classes(node):
    if not is_public(node.name):
        return
    native_class = getattr(native, node.name)
    stubbed = {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
    own = {name for name in vars(native_class) if is_public(name)} | {name for name in vars(native_class) if name.startswith("_repr_")}
    assert {name for name in stubbed if not name.startswith("__")} == own
    for name in own:
        assert getattr(native_class, name).__doc__ or name.startswith("_"), f"{node.name}.{name} has no docstring"


def test_package_contains_the_licenses():
    names = {path.name for path in importlib.metadata.files("npuzzle")}
    assert {"LICENSE-APACHE", "LICENSE-MIT"} <= names


def test_docstring_examples_run():
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    names = {name: getattr(npuzzle, name) for name in npuzzle.__all__}
    texts = {name: inspect.getdoc(item) for name, item in names.items() if inspect.getdoc(item)}
    texts["Board.goal_of"] = inspect.getdoc(npuzzle.Board.goal_of)
    tests = [doctest.DocTestParser().get_doctest(text, dict(names), name, None, 0) for name, text in texts.items()]
    for module in (npuzzle, npuzzle.env):
        tests += finder.find(module, extraglobs=dict(names)) if module is npuzzle.env else []
        tests.append(doctest.DocTestParser().get_doctest(module.__doc__, {}, module.__name__, None, 0))
    n_examples = sum(len(test.examples) for test in tests)
    for test in tests:
        runner.run(test)
    assert n_examples > 10 and runner.summarize(verbose=False).failed == 0


def test_tutorial_prints_its_stored_outputs():
    cells = json.loads(TUTORIAL.read_text())["cells"]
    names = {}
    n_compared = n_displayed = 0
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        code = ast.parse("".join(cell["source"]))
        last = code.body.pop() if code.body and isinstance(code.body[-1], ast.Expr) else None
        printed = io.StringIO()
        value = None
        with redirect_stdout(printed):
            exec(compile(code, "tutorial", "exec"), names)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), "tutorial", "eval"), names)
        for display in ("_repr_html_", "_repr_svg_"):
            if hasattr(value, display):
                assert getattr(value, display)().startswith("<")
                n_displayed += 1
        for output in cell["outputs"]:
            if output["output_type"] == "stream":
                assert printed.getvalue() == "".join(output["text"])
                n_compared += 1
            elif "text/plain" in output.get("data", {}):
                assert repr(value) == "".join(output["data"]["text/plain"])
                n_compared += 1
    assert n_compared > 5 and n_displayed > 1
