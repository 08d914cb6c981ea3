package roll.parallel.world;

import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.option.UserException;

/**
 * The service that places the ranks of a model in processes. Without it all ranks are threads of
 * this process.
 */
@ProviderType
public interface RankPlacement {
  /**
   * Returns the placement of the ranks of {@code order}, without opening them.
   *
   * @return null if all ranks are in this process
   * @throws UserException if the configured placement is impossible, in one line
   */
  @Nullable RankWorld place(ShardedModelSpec order);
}
