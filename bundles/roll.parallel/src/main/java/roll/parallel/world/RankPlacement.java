package roll.parallel.world;

import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.option.UserException;

/**
 * Decides in which processes the ranks of a model are: a service. Without one all are threads of
 * this process.
 */
@ProviderType
public interface RankPlacement {
  /**
   * Where the ranks of {@code order} are; nothing is opened yet.
   *
   * @return null if all of them are in this process
   * @throws UserException if they cannot be where the configuration says, in one line
   */
  @Nullable RankWorld place(ShardedModelSpec order);
}
