package roll.cluster.inference.weights;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import roll.cluster.NodeFacts;
import roll.cluster.transfer.PullReport;

/** Which versions of weights this node has, and how it got the last ones. */
public final class WeightLedger implements NodeFacts {
  /**
   * Of one role.
   *
   * @param has the version, −1 for none yet
   * @param newest that it was told of
   * @param pull how the last one came; null where it was made here
   */
  private record Entry(long has, long newest, @Nullable PullReport pull) {}

  private static final Entry NONE = new Entry(-1, -1, null);

  private final Map<String, Entry> roles = new TreeMap<>();

  /** A version was made here. */
  synchronized void published(String role, long version) {
    roles.put(role, new Entry(version, version, null));
  }

  /** There is a version, which this node may not have. */
  public synchronized void announced(String role, long version) {
    Entry before = roles.getOrDefault(role, NONE);
    roles.put(role, new Entry(before.has, Math.max(before.newest, version), before.pull));
  }

  /** This node computes with a version; {@code pull} is null where it was here already. */
  public synchronized void taken(String role, long version, @Nullable PullReport pull) {
    Entry before = roles.getOrDefault(role, NONE);
    roles.put(
        role,
        new Entry(version, Math.max(before.newest, version), pull == null ? before.pull : pull));
  }

  /** This node plays the role no more. */
  public synchronized void ended(String role) {
    roles.remove(role);
  }

  /** The versions by role, with how many steps they are behind, and the rate of the last pull. */
  @Override
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
