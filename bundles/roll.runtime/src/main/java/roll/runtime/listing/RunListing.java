package roll.runtime.listing;

import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Lists runs by their folders. */
@ProviderType
public interface RunListing {
  /**
   * Returns the runs below {@code folder} that {@code query} selects, in its order. Nothing is
   * started or loaded, whatever their files say, and links are not followed. A run that cannot be
   * read is left out.
   *
   * @throws roll.api.option.UserException if {@code folder} is none, or the filter is invalid
   */
  List<ListedRun> list(Path folder, RunQuery query);
}
