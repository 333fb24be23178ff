//! The page that plays a solution.

use npuzzle_draw::{Replay, Style, Theme, Timing, html};
use npuzzle_testkit::board;

use crate::{instance, nine_squares, replay};

fn page(replay: &Replay, style: &Style, title: &str) -> String {
    html::player(replay, style, Timing::default(), title).unwrap()
}

#[test]
fn page_loads_nothing() {
    let style = Style { picture: Some(nine_squares()), ..Style::default() };
    for style in [Style::default(), style] {
        let page = page(&replay("1 2 3/4 0 6/7 5 8", "U L"), &style, "A title");
        for word in ["http:", "https:", "//", "src=", "href=", "@import", "fetch(", "import("] {
            // Comments of the script contain slashes, and pictures may contain anything.
            let found = page.lines().find(|line| {
                let line = line.trim_start();
                line.contains(word) && !line.starts_with("// ") && !line.contains("base64,")
            });
            assert_eq!(found, None, "{word}");
        }
        assert!(page.contains("content=\"default-src 'none'; img-src data:;"));
        // A data URI ends with its quotes, so no address follows it.
        assert!(page.matches("url(").count() == page.matches("url(data:image/").count());
    }
}

#[test]
fn script_data_has_puzzle_and_moves() {
    let page = page(&replay("1 2 3/4 0 6/7 5 8", "U L"), &Style::default(), "A title");
    let expect = "{\"rows\":3,\"cols\":3,\"start\":[1,2,3,4,0,6,7,5,8],\
                  \"home\":[8,0,1,2,3,4,5,6,7],\"marks\":true,\"moves\":\"U L\",\"delay\":300,\
                  \"picture\":\"none\"}";
    assert!(page.contains(expect), "{page}");
    assert!(page.contains("aria-label=\"3x3 sliding puzzle: 1 2 3/4 0 6/7 5 8\""));
    assert!(page.contains("<noscript>") && page.contains("moves of the tiles: U L.</p>"));
    assert!(!page.contains("{title}") && !page.contains("{last}"));
}

#[test]
fn title_is_escaped() {
    let title = "<script>alert(1)</script> & \"more\" {label} {noscript}";
    let page = page(&replay("1 2 3/4 0 6/7 5 8", "U L"), &Style::default(), title);
    let escaped = "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot; {label} {noscript}";
    assert!(page.contains(&format!("<title>{escaped}</title>")));
    assert!(page.contains(&format!("<h1>{escaped}</h1>")));
    assert!(!page.contains("<script>alert"));
}

#[test]
fn themes_and_pictures() {
    let with_moves = replay("1 2 3/4 0 6/7 5 8", "U L");
    for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark"), (Theme::Auto, "auto")] {
        let page = page(&with_moves, &Style { theme, ..Style::default() }, "");
        assert!(page.contains(&format!("<html lang=\"en\" data-theme=\"{name}\">")));
        assert!(page.contains("prefers-reduced-motion"));
        assert!(!page.contains(" hidden>"));
    }
    let style = Style { picture: Some(nine_squares()), numbers: true, ..Style::default() };
    let with_picture = page(&with_moves, &style, "");
    assert!(with_picture.contains("\"picture\":\"numbered\""));
    assert_eq!(with_picture.matches("url(data:image/jpeg;base64,").count(), 1);
}

#[test]
fn still_board_has_no_player() {
    let page = html::board(&board("1 2/3 0"), &Style::default(), "").unwrap();
    assert!(page.contains("aria-label=\"Player\" hidden>") && page.contains("\"marks\":false"));
    let solved = html::board(&instance("1 2/3 0"), &Style::default(), "").unwrap();
    assert!(solved.contains("\"marks\":true"));
}
