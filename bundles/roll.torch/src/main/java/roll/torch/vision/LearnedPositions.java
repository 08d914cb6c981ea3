package roll.torch.vision;

import java.util.List;
import roll.api.image.ImageGrid;
import roll.api.model.VisionSpec;
import roll.api.model.VisionSpec.DeepStack;

/**
 * The learned positions of patches, in the order of the image processor: the corners of a picture
 * are the corners of the learned square, and a patch between learned positions is the sum of the
 * four around it, by bilinear interpolation. Numbers are rounded to 32 bits as in transformers
 * ({@code get_vision_interpolation_indices_and_weights}, vision_utils.py).
 *
 * @param corners four rows of P indices: of the positions above left, above right, below left and
 *     below right of each patch; empty for towers without learned positions
 * @param shares the factors of these positions
 */
record LearnedPositions(long[] corners, float[] shares) {
  /** Returns the positions of the patches of concatenated pictures of {@code grids}. */
  static LearnedPositions of(VisionSpec vision, List<ImageGrid> grids) {
    DeepStack deep = vision.deepStack();
    int count = deep == null ? 0 : grids.stream().mapToInt(ImageGrid::patches).sum();
    LearnedPositions positions = new LearnedPositions(new long[4 * count], new float[4 * count]);
    if (deep != null) {
      int first = 0;
      for (ImageGrid grid : grids) {
        for (int i = 0; i < grid.patches(); i++) {
          positions.place(first + i, i % (grid.rows() * grid.columns()), vision, grid, deep.side());
        }
        first += grid.patches();
      }
    }
    return positions;
  }

  /** Sets the four positions of patch {@code index}, number {@code patch} of its frame. */
  private void place(int index, int patch, VisionSpec vision, ImageGrid grid, int side) {
    int merge = vision.merge();
    int inner = patch % (merge * merge);
    int square = patch / (merge * merge);
    int wide = grid.columns() / merge;
    Between row = Between.of(square / wide * merge + inner / merge, grid.rows(), side);
    Between column = Between.of(square % wide * merge + inner % merge, grid.columns(), side);
    int count = corners.length / 4;
    for (int corner = 0; corner < 4; corner++) {
      boolean below = corner > 1;
      boolean right = corner % 2 == 1;
      corners[corner * count + index] = (long) row.at(below, side) * side + column.at(right, side);
      shares[corner * count + index] = row.share(below) * column.share(right);
    }
  }

  /** A place between two learned positions of one axis: {@code share} of the one after it. */
  private record Between(int before, float share) {
    static Between of(int index, int length, int side) {
      float place = (float) (index * (side - 1)) / Math.max(length - 1, 1);
      int before = (int) place;
      return new Between(before, place - before);
    }

    int at(boolean after, int side) {
      return after ? Math.min(before + 1, side - 1) : before;
    }

    float share(boolean after) {
      return after ? share : 1 - share;
    }
  }
}
