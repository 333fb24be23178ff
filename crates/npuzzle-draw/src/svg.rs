//! SVG files of boards and sheets.
//!
//! The colors of a theme are attributes. [`Theme::Auto`] adds styles that follow the reader's preference for light
//! or dark; programs that ignore styles use the attributes, which are light. Class names begin with `np-`, so
//! that a drawing may be embedded in a page.

use std::fmt::Write;

use npuzzle_core::{Board, Cell, Tile};

use crate::colors::{Colors, Rgb, Theme, hex};
use crate::error::DrawError;
use crate::layout::{BoardLayout, DefaultTile};
use crate::painter::{LABEL_OPACITY, dot_place};
use crate::picture::Picture;
use crate::scene::{GoalCells, Replay, Scene};
use crate::sheet::{self, Sheet};
use crate::style::Style;

const DEFAULT_TILE: DefaultTile = DefaultTile { tile: 80, max_pixels: 4096 };
/// The longest side of an embedded picture in pixels.
const MAX_PICTURE: u32 = 1024;
const FONT: &str = "system-ui,Segoe UI,Roboto,Helvetica,Arial,sans-serif";

/// Draws a board.
///
/// ```
/// use npuzzle_core::Board;
/// use npuzzle_draw::{Style, svg};
/// let board: Board = "1 2 3/4 5 6/7 8 0".parse()?;
/// let picture = svg::board(&board, &Style::default())?;
/// assert!(picture.contains("<title>3x3 sliding puzzle: 1 2 3/4 5 6/7 8 0</title>"));
/// assert_eq!(picture.matches("<text ").count(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn board<'a>(scene: impl Into<Scene<'a>>, style: &Style) -> Result<String, DrawError> {
    let scene = scene.into();
    let (board, goal_cells) = (scene.board(), scene.goal_cells());
    let layout = BoardLayout::of_style(board.dims(), style, DEFAULT_TILE);
    let title = board_title(board);
    let mut svg = Svg::open(layout.width(), layout.height(), &title, style, layout, goal_cells)?;
    svg.board(board, None);
    Ok(svg.close())
}

/// Draws all boards of a solution, numbered, each with its slide and the moved tile marked.
pub fn sheet(replay: &Replay, style: &Style) -> Result<String, DrawError> {
    let sheet = Sheet::new(replay, style)?;
    let (layout, moves) = (sheet.layout, replay.moves());
    let title = format!(
        "A {} sliding puzzle in {} slides: {}",
        layout.dims,
        moves.stm(),
        shortened(&moves.to_string())
    );
    let goal_cells = replay.goal_cells();
    let mut svg = Svg::open(sheet.width(), sheet.height(), &title, style, layout, goal_cells)?;
    let page = svg.paint("page", |colors| colors.page);
    svg.put(format_args!("<rect width=\"100%\" height=\"100%\"{page}/>\n"));
    let paint = svg.paint("caption", |colors| colors.caption);
    let size = sheet.letters * 7 / 5;
    svg.put(format_args!(
        "<g font-family=\"{FONT}\" font-size=\"{size}\" font-weight=\"600\"{paint}>"
    ));
    for (index, (_, slid)) in replay.steps().enumerate() {
        let (x, y) = sheet.caption(index);
        let caption = sheet::caption(index, slid);
        svg.put(format_args!("<text x=\"{x}\" y=\"{}\">{caption}</text>", y + sheet.letters));
    }
    svg.put(format_args!("</g>\n"));
    for (index, (board, slid)) in replay.steps().enumerate() {
        let (x, y) = sheet.board(index);
        svg.put(format_args!("<g transform=\"translate({x} {y})\">\n"));
        svg.board(&board, slid.map(|(_, tile)| tile));
        svg.put(format_args!("</g>\n"));
    }
    Ok(svg.close())
}

/// The title of a board, which screen readers read.
pub(crate) fn board_title(board: &Board) -> String {
    let dims = board.dims();
    if dims.cells() > 100 {
        return format!("{dims} sliding puzzle");
    }
    format!("{dims} sliding puzzle: {}", board.slash())
}

/// A text cut to the length of a title.
fn shortened(text: &str) -> String {
    const MAX: usize = 400;
    match text.char_indices().nth(MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns a text escaped for XML and HTML, also within quotes.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A drawing in progress.
struct Svg {
    text: String,
    layout: BoardLayout,
    goal_cells: GoalCells,
    is_auto: bool,
    colors: Colors,
    /// The ids of the image and of the clip path of tiles.
    picture: Option<(String, String)>,
    numbers: bool,
}

impl Svg {
    fn open(
        width: u32,
        height: u32,
        title: &str,
        style: &Style,
        layout: BoardLayout,
        goal_cells: GoalCells,
    ) -> Result<Svg, DrawError> {
        let is_auto = style.theme == Theme::Auto;
        let class = if is_auto { " class=\"np-auto\"" } else { "" };
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\"{class} width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n",
            escaped(title)
        );
        let colors = Colors::of(style.theme);
        let numbers = style.numbers;
        let mut svg = Svg { text, layout, goal_cells, is_auto, colors, picture: None, numbers };
        if is_auto {
            svg.put(format_args!("<style>{}</style>\n", auto_styles()));
        }
        if let Some(picture) = &style.picture {
            svg.define_picture(picture)?;
        }
        Ok(svg)
    }

    fn close(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.text.write_fmt(text);
    }

    /// The attributes of a theme color.
    fn paint(&self, name: &str, color: fn(&Colors) -> Rgb) -> String {
        let class = if self.is_auto { format!(" class=\"np-{name}\"") } else { String::new() };
        format!("{class} fill=\"{}\"", hex(color(&self.colors)))
    }

    fn define_picture(&mut self, picture: &Picture) -> Result<(), DrawError> {
        let layout = self.layout;
        let (width, height) = (layout.inner_width(), layout.inner_height());
        // Twice the size, for screens with a high resolution, up to a maximum.
        let scale = |side: u32| {
            let longest = u64::from(width.max(height));
            let wanted = (2 * longest).min(u64::from(MAX_PICTURE));
            ((u64::from(side) * wanted / longest) as u32).max(1)
        };
        let uri = picture.fitted_uri(scale(width), scale(height))?;
        // Different pictures on one page need different ids.
        let name = uri
            .bytes()
            .chain(layout.side.to_le_bytes())
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
            });
        let (image, shape) = (format!("np-image-{name:x}"), format!("np-shape-{name:x}"));
        let (side, radius) = (layout.side, layout.radius);
        self.put(format_args!(
            "<defs><clipPath id=\"{shape}\"><rect width=\"{side}\" height=\"{side}\" rx=\"{radius}\"/>\
             </clipPath><image id=\"{image}\" width=\"{width}\" height=\"{height}\" \
             preserveAspectRatio=\"none\" href=\"{uri}\"/></defs>\n"
        ));
        self.picture = Some((image, shape));
        Ok(())
    }

    /// Draws a board at the origin, with the moved tile marked.
    fn board(&mut self, board: &Board, moved: Option<Tile>) {
        let layout = self.layout;
        let (width, height, radius) = (layout.width(), layout.height(), layout.tray_radius());
        let paint = self.paint("tray", |colors| colors.tray);
        self.put(format_args!(
            "<rect width=\"{width}\" height=\"{height}\" rx=\"{radius}\"{paint}/>\n"
        ));
        let tiles = (0..).map(Cell::new).zip(board.tiles().iter().copied());
        let shows_blank = self.picture.is_some() && self.goal_cells.is_goal(board);
        let tiles: Vec<(Cell, Tile)> =
            tiles.filter(|(_, tile)| !tile.is_blank() || shows_blank).collect();
        match self.picture.clone() {
            Some((image, shape)) => self.picture_tiles(&tiles, &image, &shape),
            None => self.number_tiles(&tiles),
        }
        if let Some(&(cell, _)) = tiles.iter().find(|(_, tile)| moved == Some(*tile)) {
            self.mark_moved(cell);
        }
    }

    fn number_tiles(&mut self, tiles: &[(Cell, Tile)]) {
        let is_home = |&(cell, tile): &(Cell, Tile)| self.goal_cells.marks(tile, cell);
        let (home, plain): (Vec<_>, Vec<_>) = tiles.iter().copied().partition(is_home);
        self.rects("tile", |colors| colors.tile, &plain);
        self.rects("home", |colors| colors.home, &home);
        self.numbers("ink", |colors| colors.ink, &plain);
        self.numbers("home-ink", |colors| colors.home_ink, &home);
        self.dots(&home);
    }

    fn rects(&mut self, name: &str, color: fn(&Colors) -> Rgb, tiles: &[(Cell, Tile)]) {
        let BoardLayout { side, radius, .. } = self.layout;
        let paint = self.paint(name, color);
        self.group(&paint, tiles, |(x, y), _| {
            format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"{radius}\"/>"
            )
        });
    }

    fn numbers(&mut self, name: &str, color: fn(&Colors) -> Rgb, tiles: &[(Cell, Tile)]) {
        let size = font_size(self.layout);
        let half = f64::from(self.layout.side) / 2.0;
        let attributes = format!(
            " font-family=\"{FONT}\" font-size=\"{size}\" font-weight=\"600\" \
             text-anchor=\"middle\"{}",
            self.paint(name, color)
        );
        self.group(&attributes, tiles, |(x, y), tile| {
            // Digits are about 0.71 of the font size high, and stand on the base line.
            let (x, y) = (f64::from(x) + half, round(f64::from(y) + half + 0.355 * size));
            format!("<text x=\"{x}\" y=\"{y}\">{tile}</text>")
        });
    }

    fn dots(&mut self, tiles: &[(Cell, Tile)]) {
        let (dx, dy, radius) = dot_place(self.layout.side as f32);
        let radius = round(f64::from(radius));
        let paint = self.paint("dot", |colors| colors.dot);
        self.group(&paint, tiles, |(x, y), _| {
            let (x, y) = (round(f64::from(x) + f64::from(dx)), round(f64::from(y) + f64::from(dy)));
            format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>")
        });
    }

    /// Draws an element for each tile, at the corner of its cell, in a group with these attributes.
    fn group(
        &mut self,
        attributes: &str,
        tiles: &[(Cell, Tile)],
        element: impl Fn((u32, u32), Tile) -> String,
    ) {
        if tiles.is_empty() {
            return;
        }
        self.put(format_args!("<g{attributes}>"));
        for &(cell, tile) in tiles {
            self.text += &element(self.layout.corner(cell), tile);
        }
        self.put(format_args!("</g>\n"));
    }

    fn mark_moved(&mut self, cell: Cell) {
        let class = if self.is_auto { " class=\"np-moved\"" } else { "" };
        let color = hex(self.colors.moved);
        let line = (f64::from(self.layout.side) / 12.0).max(1.0);
        // The outline is inside the tile.
        let (x, y) = self.layout.corner(cell);
        let place = |at: u32| round(f64::from(at) + line / 2.0);
        let side = round(f64::from(self.layout.side) - line);
        let radius = round((f64::from(self.layout.radius) - line / 2.0).max(0.0));
        self.put(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" rx=\"{radius}\" fill=\"none\" \
             stroke-width=\"{}\"{class} stroke=\"{color}\"/>\n",
            place(x), place(y), round(line),
        ));
    }

    fn picture_tiles(&mut self, tiles: &[(Cell, Tile)], image: &str, shape: &str) {
        for &(cell, tile) in tiles {
            let (x, y) = self.layout.corner(cell);
            let (left, top) = self.layout.inner_corner(self.goal_cells.of(tile));
            let paint = self.paint("tile", |colors| colors.tile);
            let side = self.layout.side;
            self.put(format_args!(
                "<g transform=\"translate({x} {y})\" clip-path=\"url(#{shape})\">\
                 <rect width=\"{side}\" height=\"{side}\"{paint}/>\
                 <use href=\"#{image}\" x=\"{}\" y=\"{}\"/>",
                -i64::from(left),
                -i64::from(top),
            ));
            if self.numbers && !tile.is_blank() {
                self.label(tile);
            }
            self.put(format_args!("</g>\n"));
        }
    }

    /// Draws a small number in the corner of a picture tile.
    fn label(&mut self, tile: Tile) {
        let side = f64::from(self.layout.side);
        let size = 0.22 * side;
        let (margin, padding) = (round(side / 16.0), 0.3 * size);
        let n_digits = tile.number().to_string().len() as f64;
        let (width, height) =
            (round(0.58 * size * n_digits + 2.0 * padding), round(size + padding));
        let (x, y) = (round(margin + width / 2.0), round(margin + height / 2.0 + 0.355 * size));
        let (size, radius) = (round(size), round(height / 2.5));
        self.put(format_args!(
            "<rect x=\"{margin}\" y=\"{margin}\" width=\"{width}\" height=\"{height}\" rx=\"{radius}\" \
             fill-opacity=\"{LABEL_OPACITY}\"/><text x=\"{x}\" y=\"{y}\" font-family=\"{FONT}\" \
             font-size=\"{size}\" font-weight=\"600\" text-anchor=\"middle\" fill=\"#fff\">{tile}</text>"
        ));
    }
}

/// The font size with which the largest number fits on its tile.
fn font_size(layout: BoardLayout) -> f64 {
    let share = match layout.n_digits() {
        1 | 2 => 0.5,
        3 => 0.4,
        4 => 0.31,
        _ => 0.25,
    };
    round(share * f64::from(layout.side))
}

/// Rounds to a tenth.
fn round(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}

/// The colors as variables that follow the reader's preference, and the classes that use them.
fn auto_styles() -> String {
    let variables = |colors: &Colors| {
        let variable = |(name, color): (&str, Rgb)| format!("--np-{name}:{}", hex(color));
        named(colors).map(variable).join(";")
    };
    let uses = named(&Colors::LIGHT).map(|(name, _)| match name {
        "moved" => ".np-moved{stroke:var(--np-moved)}".to_owned(),
        _ => format!(".np-{name}{{fill:var(--np-{name})}}"),
    });
    format!(
        ".np-auto{{{}}}@media(prefers-color-scheme:dark){{.np-auto{{{}}}}}{}",
        variables(&Colors::LIGHT),
        variables(&Colors::DARK),
        uses.concat()
    )
}

/// The colors with the names of their style variables.
pub(crate) fn named(colors: &Colors) -> [(&'static str, Rgb); 9] {
    [
        ("page", colors.page),
        ("caption", colors.caption),
        ("tray", colors.tray),
        ("tile", colors.tile),
        ("ink", colors.ink),
        ("home", colors.home),
        ("home-ink", colors.home_ink),
        ("dot", colors.dot),
        ("moved", colors.moved),
    ]
}
