package roll.grid;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;

/**
 * Renders grids of square cells. Each distinct cell is drawn once and then copied, since training
 * renders thousands of grids per second. Thread-safe.
 *
 * @param <C> appearance of a cell; equal cells look the same
 */
public final class GridPicture<C> {
  private static final double UNITS = 100;
  private final int side;
  private final BiConsumer<Graphics2D, C> painter;
  private final Map<C, int[]> cells = new ConcurrentHashMap<>();

  /**
   * Creates a renderer.
   *
   * @param side width and height of a cell in pixels
   * @param painter draws a cell of 100 by 100 units
   */
  public GridPicture(int side, BiConsumer<Graphics2D, C> painter) {
    this.side = side;
    this.painter = painter;
  }

  /**
   * Renders a grid as a picture.
   *
   * @param cell returns the appearance of a cell; cells are numbered row by row
   */
  public BufferedImage draw(int rows, int columns, IntFunction<C> cell) {
    BufferedImage image =
        new BufferedImage(columns * side, rows * side, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < rows * columns; i++) {
      int[] pixels = cells.computeIfAbsent(cell.apply(i), this::pixels);
      int left = i % columns * side;
      int top = i / columns * side;
      image.getRaster().setDataElements(left, top, side, side, pixels);
    }
    return image;
  }

  /** Returns the pixels of a cell, row by row, as an image of {@code TYPE_INT_RGB} holds them. */
  private int[] pixels(C cell) {
    BufferedImage image = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
    Graphics2D g = image.createGraphics();
    g.scale(side / UNITS, side / UNITS);
    g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    g.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    painter.accept(g, cell);
    g.dispose();
    return (int[]) image.getRaster().getDataElements(0, 0, side, side, null);
  }
}
