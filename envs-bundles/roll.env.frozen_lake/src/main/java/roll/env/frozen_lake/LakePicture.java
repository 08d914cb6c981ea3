package roll.env.frozen_lake;

import java.awt.image.BufferedImage;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import roll.env.frozen_lake.LakeCell.Content;

/**
 * Pictures of lakes. A cell is drawn once and then copied: training looks at thousands of lakes a
 * second. For all threads.
 */
final class LakePicture {
  /** What a picture shows, for the instruction. */
  static final String MEANING =
      "You see the lake as a picture: the elf with the green hat is you, dark water is a hole, the"
          + " red present is the goal.";

  private final int side;
  private final Map<Tile, int[]> tiles = new ConcurrentHashMap<>();

  private record Tile(int number, Content content) {}

  /** Pictures whose cells are {@code side} pixels wide and high. */
  LakePicture(int side) {
    this.side = side;
  }

  /** For people: 256 pixels wide at size 4, never wider than about 1,000. */
  static BufferedImage forPeople(LakeMap map, int player) {
    return new LakePicture(Math.clamp(1000 / map.size(), 10, 64)).draw(map, player);
  }

  /** The lake with the player. */
  BufferedImage draw(LakeMap map, int player) {
    int pixels = map.size() * side;
    BufferedImage image = new BufferedImage(pixels, pixels, BufferedImage.TYPE_INT_RGB);
    for (int cell = 0; cell < map.holes().length; cell++) {
      Tile tile = new Tile(cell % LakeCell.SCRATCHES, content(map, cell, player));
      int[] drawn =
          tiles.computeIfAbsent(tile, t -> LakeCell.pixels(t.number(), t.content(), side));
      int left = cell % map.size() * side;
      int top = cell / map.size() * side;
      image.getRaster().setDataElements(left, top, side, side, drawn);
    }
    return image;
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
