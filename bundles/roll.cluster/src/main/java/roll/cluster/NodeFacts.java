package roll.cluster;

import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Something that a node says of itself when it is asked: a service, of which a node may have any
 * number. {@code nodes} shows each name as a column.
 */
@ConsumerType
public interface NodeFacts {
  /** Names, one word each, and values in a few words, as they are now; must not block. */
  Map<String, String> facts();
}
