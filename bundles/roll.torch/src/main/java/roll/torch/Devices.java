package roll.torch;

import ai.djl.engine.Engine;
import ai.djl.engine.StandardCapabilities;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.ComponentServiceObjects;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.api.option.UserException;
import roll.api.strategy.SessionConfig;
import roll.huggingface.NativeLibraries;
import roll.torch.foreign.CudaDriver;

/**
 * The devices of this process: first the cards that libtorch can compute on, by CUDA device number,
 * then shares of the cores. A run sets the total number of devices; by default each core is a
 * device. Roles on the same devices get the same compute thread, so that they share tensors without
 * a copy; roles on other devices may compute concurrently.
 */
@Component(
    name = "roll.torch.devices",
    service = {Devices.class, NativeLibraries.class})
public final class Devices implements NativeLibraries {
  private final Device whole;
  private final @Nullable EngineService service;
  private final int cores;
  private final Supplier<List<Card>> finding;
  private @Nullable List<Card> cards;
  private final Map<Part, Device> parts = new HashMap<>();

  /**
   * A card that libtorch can compute on.
   *
   * @param device of the card
   * @param memory of the card in bytes
   */
  record Card(Device device, long memory) {}

  /** Some of {@code count} shares of the cores. */
  private record Part(Set<Integer> numbers, int count) {}

  /**
   * Creates the registry of the CPU and the cards; the engine is loaded when a device first
   * computes. As usual in PyTorch, the environment variable {@code OMP_NUM_THREADS} limits the
   * cores; by default all are used.
   */
  @Activate
  public Devices(@Reference ComponentServiceObjects<Engine> engines) {
    this.cores = Runtime.getRuntime().availableProcessors();
    EngineService found = new EngineService(engines);
    int threads = threads(System.getenv("OMP_NUM_THREADS"), cores);
    this.service = found;
    this.whole = new Device(found, threads);
    this.finding = () -> find(found, threads);
  }

  private Devices(Device cpu, int cores, List<Card> cards) {
    this.whole = cpu;
    this.service = null;
    this.cores = cores;
    this.finding = () -> cards;
  }

  /** Returns a registry of one given device and its parts, which it closes. */
  public static Devices on(Device cpu) {
    return on(cpu, List.of());
  }

  /** Like {@link #on(Device)}, with {@code cards}, which it closes too. */
  static Devices on(Device cpu, List<Card> cards) {
    return new Devices(cpu, cpu.threads(), cards);
  }

  /** If the driver reports cards, libtorch is loaded to find out whether it was built for CUDA. */
  private List<Card> find(Supplier<Engine> engines, int threads) {
    List<CudaDriver.Card> there = CudaDriver.cards();
    return !there.isEmpty() && whole.load().hasCapability(StandardCapabilities.CUDA)
        ? IntStream.range(0, there.size())
            .mapToObj(i -> new Card(Device.gpu(engines, i, threads), there.get(i).memory()))
            .toList()
        : List.of();
  }

  /**
   * Returns how many of {@code cores} one native operation may use: {@code asked} if it is a valid
   * number of cores, otherwise all. In a list, as OpenMP has it for nested regions, the first
   * number counts.
   */
  static int threads(@Nullable String asked, int cores) {
    String first = asked == null ? "" : asked.split(",", 2)[0].strip();
    return first.matches("[1-9]\\d{0,4}") ? Math.min(Integer.parseInt(first), cores) : cores;
  }

  /** Returns the service of the engine, or null if the CPU device was given. */
  @Nullable EngineService service() {
    return service;
  }

  /** Returns the number of GPU cards. */
  int cardCount() {
    return cards().size();
  }

  @Override
  public void load() {
    whole.load();
  }

  /** Returns the CPU with all its cores. */
  public Device whole() {
    return whole;
  }

  /**
   * Returns the device for {@code numbers}: one card, or one CPU device with the cores of all of
   * them; the whole CPU if the list is empty or has all of them.
   *
   * @param count total number of devices, or 0 for the cards and one device for each core
   * @throws UserException if a device does not exist, or if there are several and one of them is a
   *     card
   */
  public Device of(List<Integer> numbers, int count) {
    check(numbers, count);
    if (numbers.isEmpty()) {
      return whole;
    }
    int cardCount = cardCount();
    if (numbers.stream().anyMatch(number -> number < cardCount)) {
      if (numbers.size() > 1) {
        throw new UserException(
            ("device_mapping: %s: a session on a card computes on one device; deepspeed (ZeRO) and"
                    + " megatron strategies on several")
                .formatted(numbers));
      }
      return cards().get(numbers.getFirst()).device();
    }
    return part(Set.copyOf(numbers), count);
  }

  /**
   * Returns one device for each of {@code numbers}, in their order; a CPU device has its share of
   * the cores, at least one.
   *
   * @param count as in {@link #of}
   * @throws UserException if a device does not exist
   */
  public List<Device> ranks(List<Integer> numbers, int count) {
    check(numbers, count);
    int cardCount = cardCount();
    return numbers.stream()
        .map(
            number ->
                number < cardCount ? cards().get(number).device() : part(Set.of(number), count))
        .toList();
  }

  /**
   * Returns the share of the cores that {@link #of} returns for the same numbers, above 0 and at
   * most 1.
   */
  public double share(List<Integer> numbers, int count) {
    check(numbers, count);
    return numbers.isEmpty() ? 1 : (double) numbers.size() / (all(count) - cardCount());
  }

  /** Returns whether the devices {@code numbers} are cards. */
  public boolean accelerated(List<Integer> numbers) {
    return !numbers.isEmpty() && numbers.stream().allMatch(number -> number < cardCount());
  }

  /**
   * Returns the memory of device {@code number} in bytes: that of the card, or a share of the
   * machine's.
   *
   * @param count as in {@link #of}
   */
  public long memory(int number, int count) {
    int cardCount = cardCount();
    return number < cardCount
        ? cards().get(number).memory()
        : HostMemory.bytes() / Math.max(1, all(count) - cardCount);
  }

  /** Returns the memory of all devices of a session in bytes. */
  public long memory(SessionConfig config) {
    List<Integer> numbers = config.worker().devices();
    return numbers.isEmpty()
        ? HostMemory.bytes()
        : numbers.stream()
            .mapToLong(
                number ->
                    config.deviceMemory() > 0
                        ? config.deviceMemory()
                        : memory(number, config.deviceCount()))
            .sum();
  }

  /** Returns the total number of devices for a configured {@code count}. */
  int all(int count) {
    return count == 0 ? cardCount() + cores : count;
  }

  private void check(List<Integer> numbers, int count) {
    int all = numbers.isEmpty() ? 0 : all(count);
    for (int number : numbers) {
      if (number < 0 || number >= all) {
        throw new UserException(
            "there is no device %d (device_mapping, --device): this machine is divided into %d%s, from 0 on; num_gpus_per_node says into how many"
                .formatted(number, all, cardCount() == 0 ? "" : ", " + cardsAmong(all)));
      }
    }
  }

  private String cardsAmong(int all) {
    int among = Math.min(cardCount(), all);
    return among == 1 ? "the first of them a card" : "the first %d of them cards".formatted(among);
  }

  private synchronized List<Card> cards() {
    if (cards == null) {
      cards = List.copyOf(finding.get());
    }
    return cards;
  }

  private synchronized Device part(Set<Integer> numbers, int count) {
    int shares = all(count) - cardCount();
    return numbers.size() == shares
        ? whole
        : parts.computeIfAbsent(
            new Part(numbers, shares), part -> whole.share(numbers.size(), shares));
  }

  /** Ends the compute threads of the devices. */
  @Deactivate
  public synchronized void close() {
    List<Device> all = new ArrayList<>(parts.values());
    all.add(whole);
    if (cards != null) {
      cards.forEach(card -> all.add(card.device()));
    }
    all.forEach(Device::close);
  }
}
