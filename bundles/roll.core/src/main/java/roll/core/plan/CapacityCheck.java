package roll.core.plan;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
import roll.api.memory.MemoryKind;
import roll.runtime.pipeline.MemoryPlan.Share;
import roll.text.ByteSize;

/** Reports devices whose memory is exceeded, and the key that would reduce the memory most. */
final class CapacityCheck {
  private CapacityCheck() {}

  /** A device in a phase of the memory plan. */
  private record Spot(int device, String phase) {}

  /** Memory of one kind that one role holds. */
  private record Part(String role, MemoryKind kind, long bytes) {}

  /**
   * Returns a message for the device that lacks most memory, or null where all fits.
   *
   * @param capacity bytes by device
   * @param roles with their configurations
   */
  static @Nullable String refusal(
      List<Share> shares, Map<Integer, Long> capacity, Map<String, WorkerConfig> roles) {
    Map<Spot, Long> needs = new LinkedHashMap<>();
    for (Share share : shares) {
      Spot spot = new Spot(share.memory().device(), share.phase());
      needs.merge(spot, share.memory().resident(), Long::sum);
    }
    Spot worst = null;
    long lack = 0;
    for (var need : needs.entrySet()) {
      long own = need.getValue() - has(capacity, need.getKey().device());
      if (own > lack) {
        worst = need.getKey();
        lack = own;
      }
    }
    return worst == null
        ? null
        : line(worst, has(capacity, worst.device()) + lack, shares, capacity, roles);
  }

  private static long has(Map<Integer, Long> capacity, int device) {
    return Objects.requireNonNull(capacity.get(device), () -> "device " + device);
  }

  private static String line(
      Spot spot,
      long need,
      List<Share> shares,
      Map<Integer, Long> capacity,
      Map<String, WorkerConfig> roles) {
    Part part =
        shares.stream()
            .filter(share -> share.phase().equals(spot.phase()))
            .filter(share -> share.memory().device() == spot.device())
            .flatMap(
                share ->
                    share.memory().bytes().entrySet().stream()
                        .filter(entry -> entry.getKey() != MemoryKind.OFFLOADED)
                        .map(entry -> new Part(share.role(), entry.getKey(), entry.getValue())))
            .max(Comparator.comparingLong(Part::bytes))
            .orElseThrow();
    WorkerConfig worker = Objects.requireNonNull(roles.get(part.role()));
    boolean training = spot.phase().startsWith(PhaseRoles.TRAIN);
    boolean alone = capacity.keySet().stream().filter(device -> device >= 0).count() <= 1;
    return "%s cannot hold phase %s: it needs %s and has %s; the largest part, %s, is %s of %s: change %s"
        .formatted(
            spot.device() < 0 ? "the machine" : "device " + spot.device(),
            spot.phase(),
            ByteSize.of(need),
            ByteSize.of(has(capacity, spot.device())),
            ByteSize.of(part.bytes()),
            part.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '),
            part.role(),
            new MemoryAdvice(worker, training, alone).key(part.kind()));
  }
}
