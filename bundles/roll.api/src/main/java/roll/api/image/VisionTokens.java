package roll.api.image;

import java.util.Set;

/**
 * Image tokens of a vision-language model: a picture is a run of image tokens.
 *
 * @param image id of the image token, {@code image_token_id} of config.json
 * @param begin id of the token before the run, {@code vision_start_token_id}, or −1 for none
 * @param end id of the token after the run, {@code vision_end_token_id}, or −1 for none
 * @param reserved ids of all image and video tokens, including those above; text of a message is
 *     never tokenized as one
 * @param processor computes the number of image tokens of a picture
 */
public record VisionTokens(
    int image, int begin, int end, Set<Integer> reserved, ImageProcessor processor) {
  /** Creates the vision tokens with an immutable copy of the set. */
  public VisionTokens {
    reserved = Set.copyOf(reserved);
  }
}
