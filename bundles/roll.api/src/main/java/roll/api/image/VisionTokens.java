package roll.api.image;

import java.util.Set;

/**
 * Where a model that sees has its pictures among the tokens: as many image tokens as a picture has
 * places, one after the other.
 *
 * @param image id of the image token, {@code image_token_id} of config.json
 * @param begin id of the token before them, {@code vision_start_token_id}, or −1 for none
 * @param end id of the token behind them, {@code vision_end_token_id}, or −1 for none
 * @param reserved ids of all tokens that stand for pictures and videos, those above among them:
 *     what is written in a message never becomes one
 * @param processor says how many places a picture has
 */
public record VisionTokens(
    int image, int begin, int end, Set<Integer> reserved, ImageProcessor processor) {
  /** Copies the set. */
  public VisionTokens {
    reserved = Set.copyOf(reserved);
  }
}
