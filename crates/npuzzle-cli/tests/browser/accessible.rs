//! Accessibility: the rules of axe-core, names and roles, focus order, contrast, reduced motion.

use std::path::Path;

use serde_json::{Value, json};

use crate::page::{Page, with_page};
use crate::watching::LOADED;

#[test]
fn axe_finds_nothing_serious_in_views() {
    with_page(|page| async move {
        for theme in THEMES {
            open(&page, "play", theme).await;
            page.wait("document.querySelector('#moves button')").await;
            page.run("document.querySelectorAll('details').forEach((it) => { it.open = true; });")
                .await;
            assert_eq!(findings(&page).await, json!([]), "{theme} play");

            open(&page, "watch", theme).await;
            page.wait("document.querySelector('.lane[data-step]')").await;
            assert_eq!(findings(&page).await, json!([]), "{theme} watch");

            open(&page, "compare", theme).await;
            assert_eq!(findings(&page).await, json!([]), "{theme} compare, empty");
            page.click("#run-compare").await;
            page.wait("document.querySelector('.chart')").await;
            assert_eq!(findings(&page).await, json!([]), "{theme} compare");
        }
    });
}

#[test]
fn axe_finds_nothing_serious_in_dialogs() {
    with_page(|page| async move {
        for theme in THEMES {
            open(&page, "play", theme).await;
            let dialogs = page
                .value("[...document.querySelectorAll('dialog')].map((dialog) => dialog.id)")
                .await;
            let dialogs = dialogs.as_array().expect("a list");
            assert!(dialogs.len() >= 4, "{dialogs:?}");
            for dialog in dialogs {
                // A button opens a dialog where there is one, because it also fills the dialog.
                let script = format!(
                    "const dialog = document.getElementById({dialog}); \
                     document.getElementById('open-' + {dialog})?.click(); \
                     if (!dialog.open) dialog.showModal();"
                );
                page.run(&script).await;
                assert_eq!(findings(&page).await, json!([]), "{theme} {dialog}");
                page.run(&format!("document.getElementById({dialog}).close();")).await;
            }
        }
    });
}

#[test]
fn axe_finds_a_button_without_name_and_faint_text() {
    with_page(|page| async move {
        open(&page, "play", "light").await;
        page.run(
            "document.getElementById('solve').replaceChildren(); \
             document.getElementById('engine-title').style.color = '#eee';",
        )
        .await;
        let found = findings(&page).await;
        let found: Vec<&Value> = found.as_array().expect("a list").iter().collect();
        let rules: Vec<&Value> = found.iter().map(|finding| &finding["rule"]).collect();
        assert_eq!(rules, [&json!("button-name"), &json!("color-contrast")], "{found:?}");
    });
}

const THEMES: [&str; 2] = ["light", "dark"];

async fn open(page: &Page, view: &str, theme: &str) {
    page.open(&format!("#start=8.1.3_4.0.2_7.6.5&moves=LURR&view={view}")).await;
    page.run(&format!("document.documentElement.dataset.theme = '{theme}';")).await;
}

/// The serious and critical findings of axe-core: rules and the elements that break them.
async fn findings(page: &Page) -> Value {
    // Colors change gradually.
    page.wait("document.getAnimations().length === 0").await;
    page.run(&axe()).await;
    page.module(
        "const { violations, passes } = await axe.run(document); \
         if (passes.length < 10) throw new Error(`only ${passes.length} rules were checked`); \
         return violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)) \
           .map(({ id, nodes }) => ({ rule: id, elements: nodes.map(({ html }) => html) }));",
    )
    .await
}

/// The script of axe-core, which `cargo xtask test` installs in the target folder.
fn axe() -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .with_file_name("node")
        .join("node_modules/axe-core/axe.min.js");
    std::fs::read_to_string(&file).unwrap_or_else(|error| {
        let folder = file.ancestors().nth(3).unwrap_or(&file).display();
        panic!("{}: {error}. Run `npm install --prefix {folder} axe-core@4`.", file.display())
    })
}

#[test]
fn every_control_has_a_name() {
    with_page(|page| async move {
        for view in ["play", "watch", "compare"] {
            page.open(&format!("#start=8.1.3_4.0.2_7.6.5&moves=LURR&view={view}")).await;
            page.wait("document.querySelector('.lane[data-step], #moves button')").await;
            let nodes = page.devtools("Accessibility.getFullAXTree", json!({})).await;
            let nameless: Vec<&Value> = nodes["nodes"]
                .as_array()
                .expect("a tree")
                .iter()
                .filter(|node| node["ignored"] == json!(false) && is_control(node))
                .filter(|node| node["name"]["value"].as_str().unwrap_or_default().is_empty())
                .collect();
            assert_eq!(nameless, [] as [&Value; 0], "{view}");
        }
    });
}

fn is_control(node: &Value) -> bool {
    const ROLES: &[&str] = &[
        "button",
        "combobox",
        "checkbox",
        "switch",
        "slider",
        "spinbutton",
        "textbox",
        "tab",
        "tabpanel",
        "dialog",
        "application",
        "gridcell",
        "image",
        "link",
        "region",
    ];
    node["role"]["value"].as_str().is_some_and(|role| ROLES.contains(&role))
}

#[test]
fn board_is_a_grid_in_reading_order() {
    with_page(|page| async move {
        page.open("#start=8.1.3_4.0.2_7.6.5").await;
        let labels = page
            .value("[...document.querySelectorAll('#board [role=gridcell]')].map((cell) => cell.ariaLabel)")
            .await;
        assert_eq!(labels[0], json!("8, row 1, column 1"));
        assert_eq!(labels[4], json!("blank, row 2, column 2"));
        assert_eq!(labels.as_array().map(Vec::len), Some(9));
        page.click("[data-tile='2']").await;
        page.wait("document.getElementById('said').textContent === '2 left'").await;
        page.keys("#board", "b").await;
        page.wait(
            "document.getElementById('said').textContent === '8, 1, 3; 4, 2, blank; 7, 6, 5'",
        )
        .await;
    });
}

#[test]
fn focus_order_is_logical_and_visible() {
    with_page(|page| async move {
        page.open("#start=8.1.3_4.0.2_7.6.5&moves=L&at=1").await;
        let mut order = Vec::new();
        for _ in 0..17 {
            page.keys("*:focus, body", "\u{e004}").await;
            order.push(page.value("document.activeElement.id").await);
            let outline = page.value("getComputedStyle(document.activeElement).outlineStyle").await;
            assert_ne!(outline, json!("none"), "{order:?}");
        }
        let expected = [
            "skip",
            "tab-play",
            "open-share",
            "theme",
            "open-settings",
            "open-help",
            "explain-moves",
            "open-statistics",
            "board",
            "scramble",
            "hint",
            "solve",
            "place",
            "first",
            "back",
            "run",
            "speed",
        ];
        assert_eq!(order, expected.map(|id| json!(id)));
    });
}

#[test]
fn list_of_moves_is_one_tab_stop() {
    with_page(|page| async move {
        page.open("#start=8.1.3_4.0.2_7.6.5&moves=LURD&at=2").await;
        let stops =
            "[...document.querySelectorAll('#moves button')].map((button) => button.tabIndex)";
        assert_eq!(page.value(stops).await, json!([-1, 0, -1, -1]));
        // Right, right, left: the focus moves, the board does not.
        page.keys("#moves button:nth-child(2)", "\u{e014}\u{e014}").await;
        page.keys("*:focus", "\u{e012}").await;
        assert_eq!(page.value("document.activeElement.textContent").await, json!("R"));
        assert_eq!(page.value(stops).await, json!([-1, -1, 0, -1]));
        assert_eq!(page.text("#stm").await, "2");
        page.keys("*:focus", "\u{e007}").await;
        assert_eq!(page.text("#stm").await, "3");
        page.keys("*:focus", "\u{e011}").await;
        assert_eq!(page.value("document.activeElement.textContent").await, json!("L"));
    });
}

#[test]
fn engine_switch_and_verdict_have_one_name_and_region() {
    with_page(|page| async move {
        page.open("#start=1.2.3_4.0.6_7.5.8").await;
        let nodes = page.devtools("Accessibility.getFullAXTree", json!({})).await;
        let switches = nodes["nodes"].as_array().expect("a tree").iter();
        let mut names = switches
            .filter(|node| node["role"]["value"] == json!("switch"))
            .map(|node| node["name"]["value"].clone());
        assert_eq!(names.next(), Some(json!("Analysis")));
        page.click("#solve").await;
        page.wait("document.getElementById('verdict').textContent.includes('proved optimal')")
            .await;
        let regions = "[...document.querySelectorAll('[role=status], [role=alert], [aria-live]')] \
            .filter((region) => region.textContent.includes('proved optimal')).length";
        assert_eq!(page.value(regions).await, json!(1));
    });
}

#[test]
fn text_has_enough_contrast() {
    with_page(|page| async move {
        for theme in ["light", "dark"] {
            page.open("#start=8.1.3_4.0.2_7.6.5").await;
            page.run(&format!("document.documentElement.dataset.theme = '{theme}';")).await;
            let pairs = json!([
                ["--ink", "--paper"],
                ["--ink", "--card"],
                ["--ink", "--tile"],
                ["--muted", "--paper"],
                ["--muted", "--card"],
                ["--home-ink", "--home"],
                ["--on-accent", "--accent"],
                ["--bad", "--card"],
                ["--warm", "--card"],
            ]);
            let low = page.run(&format!("{CONTRAST} return low({pairs});")).await;
            assert_eq!(low, json!([]), "{theme}");
        }
    });
}

/// The contrast ratio of WCAG 2, which requires 4.5.
const CONTRAST: &str = "
    const light = (name) => {
      document.body.style.color = `var(${name})`;
      const [r, g, b] = getComputedStyle(document.body).color.match(/\\d+/g).map((c) => c / 255)
        .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const low = (pairs) => pairs.filter(([a, b]) => {
      const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
      return (x + 0.05) / (y + 0.05) < 4.5;
    });";

#[test]
fn tree_lines_and_fills_have_enough_contrast() {
    with_page(|page| async move {
        for theme in ["light", "dark"] {
            page.open("#start=8.1.3_4.0.2_7.6.5&view=watch").await;
            page.run(&format!("document.documentElement.dataset.theme = '{theme}';")).await;
            page.wait(LOADED).await;
            let low = page.run(&format!("{TREE_CONTRAST} return low;")).await;
            assert_eq!(low, json!([]), "{theme}");
        }
    });
}

/// The contrast of the shapes of the tree to their background, which must be at least 3, and of the values in
/// nodes to their fills, which must be at least 4.5. Open and pruned nodes have only an outline.
const TREE_CONTRAST: &str = "
    const light = (color) => {
      const [r, g, b] = color.match(/[\\d.]+/g).map((c) => c / 255)
        .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (a, b) => {
      const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
      return (x + 0.05) / (y + 0.05);
    };
    const paper = getComputedStyle(document.querySelector('.forest')).backgroundColor;
    const ink = getComputedStyle(document.querySelector('.forest .value')).fill;
    const pairs = [['edge', getComputedStyle(document.querySelector('.forest .edge')).stroke, paper, 3],
      ['solution edge', getComputedStyle(document.querySelector('.forest .edge.solution')).stroke, paper, 3]];
    for (const kind of ['open', 'expanded', 'refused', 'solution']) {
      const { fill, stroke } = getComputedStyle(document.querySelector(`.legend .${kind} .box`));
      pairs.push([`${kind} outline`, stroke, paper, 3]);
      if (['expanded', 'solution'].includes(kind)) {
        pairs.push([`${kind} fill`, fill, paper, 3], [`${kind} value`, ink, fill, 4.5]);
      }
    }
    const low = pairs.map(([name, a, b, least]) => [name, ratio(a, b), least])
      .filter(([, found, least]) => found < least);";

#[test]
fn dark_theme_follows_system_or_choice() {
    with_page(|page| async move {
        let lightness = "getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0]";
        for (system, paper) in [("light", "245"), ("dark", "18")] {
            let scheme = json!([{ "name": "prefers-color-scheme", "value": system }]);
            page.devtools("Emulation.setEmulatedMedia", json!({ "features": scheme })).await;
            page.open("").await;
            assert_eq!(page.value(lightness).await, json!(paper), "{system}");
        }
        page.click("#theme").await;
        assert_eq!(page.value(lightness).await, json!("245"));
        page.click("#theme").await;
        assert_eq!(page.value(lightness).await, json!("18"));
        assert_eq!(
            page.value("document.getElementById('theme').ariaLabel").await,
            json!("Theme: dark")
        );
        // The choice is stored.
        page.open("").await;
        assert_eq!(page.value("document.documentElement.dataset.theme").await, json!("dark"));
    });
}

#[test]
fn reduced_motion_disables_animation() {
    with_page(|page| async move {
        let calm = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
        page.devtools("Emulation.setEmulatedMedia", calm).await;
        page.open("#start=8.1.3_4.0.2_7.6.5").await;
        page.click("[data-tile='2']").await;
        assert_eq!(page.value("document.getAnimations().length").await, json!(0));
        assert_eq!(page.board().await, "8 1 3/4 2 0/7 6 5");
    });
}
