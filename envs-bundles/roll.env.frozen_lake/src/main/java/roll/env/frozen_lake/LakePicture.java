package roll.env.frozen_lake;

import java.awt.image.BufferedImage;
import roll.env.frozen_lake.LakeCell.Content;
import roll.grid.GridPicture;

/** Renders FrozenLake maps as pictures. Thread-safe. */
final class LakePicture {
  /** The sentence of the instruction that describes the picture. */
  static final String MEANING =
      "You see the lake as a picture: the elf with the green hat is you, dark water is a hole, the"
          + " red present is the goal.";

  private final GridPicture<Tile> picture;

  private record Tile(int scratches, Content content) {}

  /** Creates a renderer with cells of {@code side} by {@code side} pixels. */
  LakePicture(int side) {
    picture =
        new GridPicture<>(
            side, (g, tile) -> new LakeCell(g).draw(tile.scratches(), tile.content()));
  }

  /** Renders for people: 256 pixels wide at size 4, at most about 1,000. */
  static BufferedImage forPeople(LakeMap map, int player) {
    return new LakePicture(Math.clamp(1000 / map.size(), 10, 64)).draw(map, player);
  }

  /** Renders the lake with the player. */
  BufferedImage draw(LakeMap map, int player) {
    return picture.draw(
        map.size(),
        map.size(),
        cell -> new Tile(cell % LakeCell.SCRATCHES, content(map, cell, player)));
  }

  private static Content content(LakeMap map, int cell, int player) {
    boolean here = cell == player;
    if (map.holes()[cell]) {
      return here ? Content.FALLEN : Content.HOLE;
    }
    if (cell == map.goal()) {
      return here ? Content.ARRIVED : Content.GOAL;
    }
    return here ? Content.PLAYER : Content.ICE;
  }
}
