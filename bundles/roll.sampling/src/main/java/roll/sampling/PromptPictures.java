package roll.sampling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import roll.api.image.ImageGrid;
import roll.api.image.Picture;
import roll.api.model.VisionSpec;
import roll.decoder.TokenPositions;

/**
 * The pictures of a prompt: which of its tokens show which, and the positions of all. What follows
 * the prompt goes on from {@link TokenPositions#next}, which is not its number.
 */
public final class PromptPictures {
  private final List<Place> places;
  private final TokenPositions positions;
  private final int length;

  private PromptPictures(List<Place> places, TokenPositions positions) {
    this.places = places;
    this.positions = positions;
    this.length = positions.time().length;
  }

  /** A picture, the first token that shows it, and how many do. */
  private record Place(Picture picture, int first, int count) {}

  /**
   * A part of a picture.
   *
   * @param token the first token that shows it
   * @param from the first of the picture's tokens that it is
   * @param count how many
   */
  public record Slice(Picture picture, int token, int from, int count) {}

  /**
   * The pictures of {@code prompt}.
   *
   * @param pictures in the order of their places
   * @param grids of them
   * @throws IllegalArgumentException if places and pictures do not fit each other
   */
  static PromptPictures of(
      int[] prompt, VisionSpec vision, List<Picture> pictures, List<ImageGrid> grids) {
    TokenPositions positions = TokenPositions.of(prompt, vision, grids);
    List<Place> places = new ArrayList<>();
    int at = 0;
    for (int i = 0; i < pictures.size(); i++) {
      while (prompt[at] != vision.imageToken()) {
        at++;
      }
      int count = grids.get(i).tokens(vision.merge());
      places.add(new Place(pictures.get(i), at, count));
      at += count;
    }
    return new PromptPictures(List.copyOf(places), positions);
  }

  /**
   * The prompt as caches compare it: a token that shows a picture is one of {@code numbers}, that
   * of the picture, which no word has.
   */
  int[] keys(int[] prompt, List<Integer> numbers) {
    int[] keys = prompt.clone();
    for (int i = 0; i < places.size(); i++) {
      Place place = places.get(i);
      Arrays.fill(keys, place.first, place.first + place.count, numbers.get(i));
    }
    return keys;
  }

  /** What the tokens from {@code begin} up to {@code end} show, in their order. */
  public List<Slice> slices(int begin, int end) {
    List<Slice> slices = new ArrayList<>();
    for (Place place : places) {
      int from = Math.max(begin, place.first);
      int to = Math.min(end, place.first + place.count);
      if (from < to) {
        slices.add(new Slice(place.picture, from, from - place.first, to - from));
      }
    }
    return slices;
  }

  /** Position of token {@code index} in time (0), height (1) or width (2). */
  public int position(int axis, int index) {
    if (index >= length) {
      return index + shift();
    }
    return switch (axis) {
      case 0 -> positions.time()[index];
      case 1 -> positions.height()[index];
      default -> positions.width()[index];
    };
  }

  /** What is added to the number of a token behind the prompt for its position; never positive. */
  public int shift() {
    return positions.next() - length;
  }
}
