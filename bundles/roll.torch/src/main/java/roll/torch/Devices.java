package roll.torch;

import ai.djl.engine.Engine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.ComponentServiceObjects;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.api.option.UserException;

/**
 * The devices of this process. On a machine without accelerators a device is a share of the cores:
 * a run says into how many devices the machine is divided, by default as many as it has cores.
 * Roles that ask for the same devices get the same compute thread, so that they can share tensors
 * without a copy; those of other devices may compute at the same time.
 */
@Component(name = "roll.torch.devices", service = Devices.class)
public final class Devices {
  private final Device whole;
  private final int cores;
  private final Map<Part, Device> parts = new HashMap<>();

  /** Some of {@code count} devices. */
  private record Part(Set<Integer> numbers, int count) {}

  /**
   * The CPU, with the engine fetched when it first computes. As everywhere in PyTorch the
   * environment variable {@code OMP_NUM_THREADS} says how many cores it may use; without it, all.
   */
  @Activate
  public Devices(@Reference ComponentServiceObjects<Engine> engines) {
    this.cores = Runtime.getRuntime().availableProcessors();
    this.whole = new Device(engines::getService, threads(System.getenv("OMP_NUM_THREADS"), cores));
  }

  private Devices(Device cpu, int cores) {
    this.whole = cpu;
    this.cores = cores;
  }

  /** A registry of one given device and its parts; it closes that, too. */
  public static Devices on(Device cpu) {
    return new Devices(cpu, cpu.threads());
  }

  /**
   * How many of {@code cores} one native operation may use: what {@code asked} says, if that is a
   * number of them, otherwise all. Of a list, as OpenMP has it for nested regions, the first
   * counts.
   */
  static int threads(@Nullable String asked, int cores) {
    String first = asked == null ? "" : asked.split(",", 2)[0].strip();
    return first.matches("[1-9]\\d{0,4}") ? Math.min(Integer.parseInt(first), cores) : cores;
  }

  /** How many there are where nothing says into how many the machine is divided. */
  int count() {
    return cores;
  }

  /** The CPU with all its cores. */
  public Device whole() {
    return whole;
  }

  /**
   * One device with the cores of all of {@code numbers} together: the whole CPU if they are all
   * there are, or none.
   *
   * @param count into how many devices the machine is divided, or 0 for as many as it has cores
   * @throws UserException if there is no device of one of these numbers
   */
  public Device of(List<Integer> numbers, int count) {
    int all = check(numbers, count);
    return numbers.isEmpty() ? whole : part(Set.copyOf(numbers), all);
  }

  /**
   * The devices {@code numbers}, one each, in their order; each has its share of the cores, at
   * least one.
   *
   * @param count into how many devices the machine is divided, or 0 for as many as it has cores
   * @throws UserException if there is no device of one of these numbers
   */
  public List<Device> ranks(List<Integer> numbers, int count) {
    int all = check(numbers, count);
    return numbers.stream().map(number -> part(Set.of(number), all)).toList();
  }

  /** How much of the machine {@link #of} gives for the same arguments, above 0 and at most 1. */
  public double share(List<Integer> numbers, int count) {
    int all = check(numbers, count);
    return numbers.isEmpty() ? 1 : (double) numbers.size() / all;
  }

  private int check(List<Integer> numbers, int count) {
    int all = count == 0 ? cores : count;
    for (int number : numbers) {
      if (number < 0 || number >= all) {
        throw new UserException(
            ("device_mapping: there is no device %d, for this machine is divided into %d, from 0"
                    + " on; num_gpus_per_node says into how many")
                .formatted(number, all));
      }
    }
    return all;
  }

  private synchronized Device part(Set<Integer> numbers, int count) {
    return numbers.size() == count
        ? whole
        : parts.computeIfAbsent(
            new Part(numbers, count), part -> whole.share(numbers.size(), count));
  }

  /** Ends the compute threads. */
  @Deactivate
  public synchronized void close() {
    parts.values().forEach(Device::close);
    whole.close();
  }
}
