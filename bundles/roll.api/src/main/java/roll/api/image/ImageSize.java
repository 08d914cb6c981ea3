package roll.api.image;

/**
 * How large a picture is.
 *
 * @param width in pixels
 * @param height in pixels
 */
public record ImageSize(int width, int height) {}
