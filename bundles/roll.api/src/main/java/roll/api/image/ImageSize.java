package roll.api.image;

/**
 * Size of a picture.
 *
 * @param width in pixels
 * @param height in pixels
 */
public record ImageSize(int width, int height) {}
