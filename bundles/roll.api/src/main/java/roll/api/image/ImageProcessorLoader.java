package roll.api.image;

import java.nio.file.Path;
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
}
