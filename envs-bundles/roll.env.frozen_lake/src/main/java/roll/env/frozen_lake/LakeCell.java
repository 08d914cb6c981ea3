package roll.env.frozen_lake;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.RadialGradientPaint;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Arc2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.geom.RoundRectangle2D;
import java.util.random.RandomGenerator;
import roll.api.data.RandomStreams;

/** Draws a cell of the lake: ice, a hole, a present as the goal, an elf as the player; no text. */
final class LakeCell {
  /** Number of different scratches in the ice. */
  static final int SCRATCHES = 16;

  private static final Color SNOW = new Color(0xF7FCFF);
  private static final Color ICE = new Color(0xC4E3F3);
  private static final Color SCRATCH = new Color(0xE9F6FC);
  private static final Color EDGE = new Color(0x9CC9E2);
  private static final Color WATER = new Color(0x2E79A8);
  private static final Color DEEP = new Color(0x0B2740);
  private static final Color RED = new Color(0xD8343A);
  private static final Color GOLD = new Color(0xF6C945);
  private static final Color GREEN = new Color(0x2E8B57);
  private static final Color SKIN = new Color(0xF8D3B0);
  private static final Color DARK = new Color(0x2B2B33);

  private final Graphics2D g;

  /** The content of a cell of the lake. */
  enum Content {
    ICE,
    PLAYER,
    HOLE,
    FALLEN,
    GOAL,
    ARRIVED
  }

  LakeCell(Graphics2D g) {
    this.g = g;
  }

  /**
   * Draws the cell, 100 by 100 units.
   *
   * @param scratches number of the scratches, below {@link #SCRATCHES}
   */
  void draw(int scratches, Content content) {
    ice(RandomStreams.of(scratches, "roll.env.frozen_lake/scratches"));
    switch (content) {
      case ICE -> {}
      case PLAYER -> elf(50);
      case HOLE -> hole();
      case FALLEN -> {
        hole();
        hat(50, 62);
        ripple();
      }
      case GOAL -> present(50, 1);
      case ARRIVED -> {
        elf(30);
        present(70, 0.6);
      }
    }
  }

  private void ice(RandomGenerator random) {
    g.setPaint(new GradientPaint(0, 0, SNOW, 100, 100, ICE));
    g.fill(new Rectangle2D.Double(0, 0, 100, 100));
    g.setStroke(new BasicStroke(2));
    g.setColor(SCRATCH);
    for (int i = 0; i < 3; i++) {
      double x = 15 + 60 * random.nextDouble();
      double y = 25 + 60 * random.nextDouble();
      double length = 10 + 15 * random.nextDouble();
      g.draw(new Line2D.Double(x, y, x + length, y - length));
    }
    g.setColor(EDGE);
    g.setStroke(new BasicStroke(1.5f));
    g.draw(new Rectangle2D.Double(0, 0, 100, 100));
  }

  private void hole() {
    fill(SNOW, new Ellipse2D.Double(8, 14, 84, 76));
    fill(EDGE, new Ellipse2D.Double(12, 19, 76, 68));
    g.setPaint(new RadialGradientPaint(50, 62, 42, new float[] {0, 1}, new Color[] {DEEP, WATER}));
    g.fill(new Ellipse2D.Double(14, 24, 72, 62));
  }

  private void ripple() {
    g.setColor(ICE);
    g.setStroke(new BasicStroke(3));
    g.draw(new Arc2D.Double(24, 56, 52, 18, 160, 220, Arc2D.OPEN));
    g.draw(new Arc2D.Double(32, 66, 36, 12, 180, 180, Arc2D.OPEN));
  }

  private void present(double x, double scale) {
    AffineTransform before = g.getTransform();
    g.translate(x, 88);
    g.scale(scale, scale);
    fill(EDGE, new Ellipse2D.Double(-36, -8, 72, 14));
    fill(RED, new RoundRectangle2D.Double(-30, -46, 60, 46, 6, 6));
    fill(RED.darker(), new RoundRectangle2D.Double(-33, -56, 66, 15, 6, 6));
    fill(GOLD, new Rectangle2D.Double(-6, -56, 12, 56));
    g.setColor(GOLD);
    g.setStroke(new BasicStroke(6));
    g.draw(new Ellipse2D.Double(-24, -74, 22, 16));
    g.draw(new Ellipse2D.Double(2, -74, 22, 16));
    g.setTransform(before);
  }

  private void elf(double x) {
    fill(EDGE, new Ellipse2D.Double(x - 22, 82, 44, 12));
    fill(DARK, new RoundRectangle2D.Double(x - 17, 82, 15, 9, 8, 8));
    fill(DARK, new RoundRectangle2D.Double(x + 2, 82, 15, 9, 8, 8));
    fill(GREEN, polygon(x - 12, 52, x + 12, 52, x + 20, 84, x - 20, 84));
    fill(GOLD, new Rectangle2D.Double(x - 18, 70, 36, 5));
    fill(SKIN, new Ellipse2D.Double(x - 17, 28, 34, 30));
    fill(SKIN, polygon(x - 15, 40, x - 25, 34, x - 15, 47));
    fill(SKIN, polygon(x + 15, 40, x + 25, 34, x + 15, 47));
    fill(DARK, new Ellipse2D.Double(x - 9, 41, 5, 6));
    fill(DARK, new Ellipse2D.Double(x + 4, 41, 5, 6));
    g.setColor(RED);
    g.setStroke(new BasicStroke(2));
    g.draw(new Arc2D.Double(x - 6, 44, 12, 9, 200, 140, Arc2D.OPEN));
    hat(x, 36);
  }

  /** Draws a pointed hat whose brim is at {@code y}. */
  private void hat(double x, double y) {
    fill(GREEN, polygon(x - 18, y, x + 6, y - 30, x + 18, y));
    fill(RED, new RoundRectangle2D.Double(x - 21, y - 4, 42, 8, 8, 8));
    fill(GOLD, new Ellipse2D.Double(x + 1, y - 35, 10, 10));
  }

  private void fill(Color color, Shape shape) {
    g.setColor(color);
    g.fill(shape);
  }

  private static Shape polygon(double... corners) {
    Path2D path = new Path2D.Double();
    path.moveTo(corners[0], corners[1]);
    for (int i = 2; i < corners.length; i += 2) {
      path.lineTo(corners[i], corners[i + 1]);
    }
    path.closePath();
    return path;
  }
}
