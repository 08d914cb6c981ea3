package roll.cluster.inference.weights;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import roll.cluster.transfer.PullReport;

/** Record of the weight versions on this node and of the last pull, by role. Thread-safe. */
public final class WeightStatus {
  /**
   * State of the weights of one role on this node.
   *
   * @param has version on this node, −1 for none
   * @param newest version that was announced
   * @param pull figures of the last pull; null if the weights were made here
   */
  private record Entry(long has, long newest, @Nullable PullReport pull) {}

  private static final Entry NONE = new Entry(-1, -1, null);

  private final Map<String, Entry> roles = new TreeMap<>();

  /** Records a weight version that was published on this node. */
  synchronized void published(String role, long version) {
    roles.put(role, new Entry(version, version, null));
  }

  /** Records the newest version, which this node may lack. */
  public synchronized void announced(String role, long version) {
    Entry before = roles.getOrDefault(role, NONE);
    roles.put(role, new Entry(before.has, Math.max(before.newest, version), before.pull));
  }

  /** Records the version in use; {@code pull} is null if it was here already. */
  public synchronized void taken(String role, long version, @Nullable PullReport pull) {
    Entry before = roles.getOrDefault(role, NONE);
    roles.put(
        role,
        new Entry(version, Math.max(before.newest, version), pull == null ? before.pull : pull));
  }

  /** Removes the weight status of the role. */
  public synchronized void ended(String role) {
    roles.remove(role);
  }

  /**
   * Returns the versions by role, how many steps they are behind, and the rate of the last pull.
   */
  public synchronized Map<String, String> facts() {
    Map<String, String> facts = new TreeMap<>();
    roles.forEach(
        (role, entry) -> {
          String has = entry.has < 0 ? "none" : Long.toString(entry.has);
          long lag = entry.newest - Math.max(0, entry.has);
          add(facts, "weights", role + " " + has + (lag > 0 ? ", " + lag + " behind" : ""));
          if (entry.pull != null) {
            double rate = 1000 * entry.pull.rate();
            add(facts, "pulled", String.format(Locale.ROOT, "%.0f MB/s", rate));
          }
        });
    return facts;
  }

  private static void add(Map<String, String> facts, String name, String value) {
    facts.merge(name, value, (before, more) -> before + "; " + more);
  }
}
