package roll.torch.collective;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/** Forms groups of ranks. A service; what ranks are, and how they reach each other, is its own. */
@ConsumerType
public interface Collectives {
  /**
   * A new group of {@code size} ranks.
   *
   * @return the ranks of it that live in this process, by rank; the caller closes them
   */
  List<Communicator> open(int size);
}
