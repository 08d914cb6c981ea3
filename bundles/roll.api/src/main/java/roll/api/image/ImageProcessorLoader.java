package roll.api.image;

import java.nio.file.Path;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** Reads image processors from model folders. */
@ProviderType
public interface ImageProcessorLoader {
  /**
   * The image processor of {@code folder}.
   *
   * @throws roll.api.option.UserException if there is none, since the model cannot see, or it is of
   *     a kind that is not built
   */
  ImageProcessor load(Path folder);

  /**
   * Where the model of {@code folder} has its pictures; empty if it does not see: its config.json
   * says nothing of a vision tower, or it has no image processor.
   *
   * @throws roll.api.option.UserException if what the folder says of pictures is wrong, or of a
   *     kind that is not built
   */
  default Optional<VisionTokens> vision(Path folder) {
    return Optional.empty();
  }
}
