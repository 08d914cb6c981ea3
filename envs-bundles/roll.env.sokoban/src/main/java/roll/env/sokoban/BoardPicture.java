package roll.env.sokoban;

import java.awt.image.BufferedImage;
import roll.grid.GridPicture;

/** Renders Sokoban boards as pictures. Thread-safe. */
final class BoardPicture {
  /** The sentence of the instruction that describes the picture. */
  static final String MEANING =
      "You see the room as a picture: the worker with the yellow helmet is you, bricks are walls, a"
          + " red ring is a target, a brown crate is a box and a green one a box on a target.";

  private final GridPicture<Integer> picture;

  /** Creates a renderer with cells of {@code side} by {@code side} pixels. */
  BoardPicture(int side) {
    picture = new GridPicture<>(side, (g, content) -> new CellPainter(g).draw(content));
  }

  /** Renders for people: 48 pixels per cell, fewer if the room would exceed about 1,000 pixels. */
  static BufferedImage forPeople(Board board) {
    int cells = Math.max(board.level().rows(), board.level().columns());
    return new BoardPicture(Math.clamp(1000 / cells, 10, 48)).draw(board);
  }

  /** Renders the current board as a picture. */
  BufferedImage draw(Board board) {
    return picture.draw(board.level().rows(), board.level().columns(), board::content);
  }
}
