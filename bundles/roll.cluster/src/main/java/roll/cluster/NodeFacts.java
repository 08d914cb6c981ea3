package roll.cluster;

import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Service that reports facts about its node; a node may have any number of them. The command {@code
 * nodes} shows each fact as a column.
 */
@ConsumerType
public interface NodeFacts {
  /** Returns present values by one-word names; must not block. */
  Map<String, String> facts();
}
