package roll.sampling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import roll.api.image.ImageGrid;
import roll.api.image.Picture;
import roll.api.model.VisionSpec;
import roll.decoder.TokenPositions;

/**
 * The pictures of a prompt: the placeholders of each, and the rotary positions of all tokens.
 * Positions after the prompt continue from {@link TokenPositions#next}, which is not the index of
 * the token.
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

  /** A picture with the first of its placeholders and their number. */
  private record Place(Picture picture, int first, int count) {}

  /**
   * A slice of a picture's tokens.
   *
   * @param token index of its first token in the prompt
   * @param from index of that token in the picture
   * @param count number of tokens
   */
  public record Slice(Picture picture, int token, int from, int count) {}

  /**
   * Returns the pictures of {@code prompt} with their placeholders.
   *
   * @param pictures in the order of their placeholders
   * @param grids of the pictures
   * @throws IllegalArgumentException if placeholders and pictures do not match
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
   * Returns the prompt's cache keys: placeholders are replaced by the unique number of their
   * picture, one of {@code numbers}.
   */
  int[] keys(int[] prompt, List<Integer> numbers) {
    int[] keys = prompt.clone();
    for (int i = 0; i < places.size(); i++) {
      Place place = places.get(i);
      Arrays.fill(keys, place.first, place.first + place.count, numbers.get(i));
    }
    return keys;
  }

  /**
   * Returns the slices of pictures among the tokens from {@code begin} to {@code end}, in their
   * order.
   */
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

  /** Returns the position of token {@code index} in time (0), height (1) or width (2). */
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

  /**
   * Returns the offset from the index of a token after the prompt to its position; never positive.
   */
  public int shift() {
    return positions.next() - length;
  }
}
