package roll.api.image;

import java.nio.file.Path;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** Reads image processors from model folders. */
@ProviderType
public interface ImageProcessorLoader {
  /**
   * Loads the image processor of {@code folder}.
   *
   * @throws roll.api.option.UserException if there is none, as the model has no vision, or its type
   *     is not supported
   */
  ImageProcessor load(Path folder);

  /**
   * The image tokens of the model in {@code folder}; empty for a text model: config.json has no
   * vision tower, or there is no image processor.
   *
   * @throws roll.api.option.UserException if the settings are invalid or not supported
   */
  default Optional<VisionTokens> vision(Path folder) {
    return Optional.empty();
  }
}
