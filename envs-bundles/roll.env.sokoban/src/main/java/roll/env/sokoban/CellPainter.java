package roll.env.sokoban;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.Arc2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.awt.geom.RoundRectangle2D;

/** Draws a cell of the room: brick walls, marked floor, crates, a worker with a helmet; no text. */
final class CellPainter {
  private static final Color BRICK = new Color(0xA65A42);
  private static final Color MORTAR = new Color(0x6E3B2C);
  private static final Color FLOOR = new Color(0xEDE6D6);
  private static final Color TILE = new Color(0xD9CFB8);
  private static final Color MARK = new Color(0xD8343A);
  private static final Color WOOD = new Color(0xC98B45);
  private static final Color PLANK = new Color(0x8A5A24);
  private static final Color PLACED = new Color(0x5DA85B);
  private static final Color PLACED_PLANK = new Color(0x2F6B33);
  private static final Color SKIN = new Color(0xF8D3B0);
  private static final Color OVERALL = new Color(0x2E5FA8);
  private static final Color HELMET = new Color(0xF6C945);
  private static final Color DARK = new Color(0x2B2B33);

  private final Graphics2D g;

  CellPainter(Graphics2D g) {
    this.g = g;
  }

  /**
   * Draws the cell, 100 by 100 units.
   *
   * @param content by ROLL's numbers, see {@link SokobanEnvironment}
   */
  void draw(int content) {
    if (content == 0) {
      wall();
      return;
    }
    floor();
    switch (content) {
      case 2 -> target();
      case 3 -> crate(PLACED, PLACED_PLANK);
      case 4 -> crate(WOOD, PLANK);
      case 5 -> worker();
      case 6 -> {
        target();
        worker();
      }
      default -> {}
    }
  }

  private void wall() {
    fill(MORTAR, new Rectangle2D.Double(0, 0, 100, 100));
    for (int row = 0; row < 4; row++) {
      for (int brick = 0; brick < 3; brick++) {
        double left = brick * 50 - row % 2 * 25;
        double from = Math.max(0, left + 2);
        double to = Math.min(100, left + 48);
        if (to > from) {
          fill(BRICK, new Rectangle2D.Double(from, row * 25 + 2, to - from, 21));
        }
      }
    }
  }

  private void floor() {
    fill(FLOOR, new Rectangle2D.Double(0, 0, 100, 100));
    stroke(TILE, 3, new Rectangle2D.Double(0, 0, 100, 100));
  }

  private void target() {
    stroke(MARK, 7, new Ellipse2D.Double(26, 26, 48, 48));
    fill(MARK, new Ellipse2D.Double(41, 41, 18, 18));
  }

  private void crate(Color wood, Color plank) {
    g.setPaint(new GradientPaint(0, 8, wood.brighter(), 0, 92, wood));
    g.fill(new RoundRectangle2D.Double(8, 8, 84, 84, 8, 8));
    stroke(plank, 8, new Line2D.Double(16, 16, 84, 84));
    stroke(plank, 8, new Line2D.Double(16, 84, 84, 16));
    stroke(plank, 9, new RoundRectangle2D.Double(12, 12, 76, 76, 6, 6));
  }

  private void worker() {
    fill(TILE, new Ellipse2D.Double(26, 82, 48, 12));
    fill(DARK, new RoundRectangle2D.Double(32, 82, 15, 9, 8, 8));
    fill(DARK, new RoundRectangle2D.Double(53, 82, 15, 9, 8, 8));
    fill(OVERALL, new RoundRectangle2D.Double(30, 52, 40, 34, 12, 12));
    fill(SKIN, new Ellipse2D.Double(20, 54, 13, 22));
    fill(SKIN, new Ellipse2D.Double(67, 54, 13, 22));
    fill(SKIN, new Ellipse2D.Double(32, 24, 36, 34));
    fill(DARK, new Ellipse2D.Double(41, 39, 5, 6));
    fill(DARK, new Ellipse2D.Double(54, 39, 5, 6));
    stroke(MARK, 2, new Arc2D.Double(44, 42, 12, 10, 200, 140, Arc2D.OPEN));
    fill(HELMET, new Arc2D.Double(29, 10, 42, 46, 0, 180, Arc2D.CHORD));
    fill(HELMET, new RoundRectangle2D.Double(24, 30, 52, 7, 6, 6));
  }

  private void fill(Color color, Shape shape) {
    g.setColor(color);
    g.fill(shape);
  }

  private void stroke(Color color, double width, Shape shape) {
    g.setColor(color);
    g.setStroke(new BasicStroke((float) width));
    g.draw(shape);
  }
}
