package roll.env.sokoban;

import java.awt.image.BufferedImage;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Pictures of rooms. A cell is drawn once and then copied. For all threads. */
final class BoardPicture {
  /** What a picture shows, for the instruction. */
  static final String MEANING =
      "You see the room as a picture: the worker with the yellow helmet is you, bricks are walls, a"
          + " red ring is a target, a brown crate is a box and a green one a box on a target.";

  private final int side;
  private final Map<Integer, int[]> tiles = new ConcurrentHashMap<>();

  /** Pictures whose cells are {@code side} pixels wide and high. */
  BoardPicture(int side) {
    this.side = side;
  }

  /** For people: 48 pixels a cell, fewer where a room would be wider than about 1,000. */
  static BufferedImage forPeople(Board board) {
    int cells = Math.max(board.level().rows(), board.level().columns());
    return new BoardPicture(Math.clamp(1000 / cells, 10, 48)).draw(board);
  }

  /** The board as it is now. */
  BufferedImage draw(Board board) {
    int rows = board.level().rows();
    int columns = board.level().columns();
    BufferedImage image =
        new BufferedImage(columns * side, rows * side, BufferedImage.TYPE_INT_RGB);
    for (int cell = 0; cell < rows * columns; cell++) {
      int left = cell % columns * side;
      int top = cell / columns * side;
      int[] drawn = tiles.computeIfAbsent(board.content(cell), c -> BoardCell.pixels(c, side));
      image.getRaster().setDataElements(left, top, side, side, drawn);
    }
    return image;
  }
}
