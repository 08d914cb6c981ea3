package roll.torch.model;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.torch.CardOperators;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.Precision;

/**
 * The kernel texts that are chosen by device: the same functions, with the same results within
 * rounding.
 *
 * @param sources TorchScript of attention, norms, rotations, dropout, heads, experts, sums of
 *     embedding gradients, and linear layers of the same input
 * @param flash whether {@code sources} have the function {@code flash} ({@code flash.py})
 * @param waits whether a pass of the model waits for the device to count the rows of experts
 */
public record DeviceTexts(List<String> sources, boolean flash, boolean waits) {
  /** Head sizes of flash attention: multiples of this number, up to {@link #FLASH_MOST}. */
  private static final int FLASH_MULTIPLE = 8;

  private static final int FLASH_MOST = 256;

  /** Sizes of the matrices of grouped products are multiples of this number. */
  private static final int GROUPED_MULTIPLE = 8;

  /** Returns the texts for processors. */
  public static DeviceTexts processor() {
    return new DeviceTexts(
        read(
            "norm.py",
            "rotated.py",
            "dropout.py",
            "attention.py",
            "add_rows.py",
            "separate.py",
            "experts.py",
            "head_blocks.py",
            "rounded_product.py"),
        false,
        false);
  }

  /**
   * Returns the texts for cards.
   *
   * @param operators which {@code spec} can use
   * @param joined whether a model's tensors may be followed by {@link JoinedTensors}
   */
  public static DeviceTexts card(DecoderSpec spec, CardOperators operators, boolean joined) {
    List<String> sources = new ArrayList<>(read("fused_norm.py", "card_rotated.py"));
    sources.addAll(read("card_dropout.py", "card_add_rows.py", "card_head.py"));
    sources.addAll(read(joined ? "joined.py" : "separate.py"));
    add(sources, operators.wideProduct(), List.of(), List.of("rounded_product.py"));
    add(sources, operators.flash(), List.of("flash_attention.py"), List.of("attention.py"));
    String grouped = joined && plainExperts(spec) ? operators.groupedProduct() : null;
    add(sources, grouped, List.of("grouped_experts.py"), List.of("experts.py"));
    boolean waits = spec.experts() != null && grouped == null;
    return new DeviceTexts(List.copyOf(sources), operators.flash() != null, waits);
  }

  /** Adds {@code operator} and the texts {@code with} that use it, or those without it. */
  private static void add(
      List<String> sources, @Nullable String operator, List<String> with, List<String> without) {
    if (operator != null) {
      sources.add(operator);
    }
    sources.addAll(read((operator == null ? without : with).toArray(String[]::new)));
  }

  private static boolean plainExperts(DecoderSpec spec) {
    Adapter adapter = spec.adapter();
    return spec.experts() != null
        && !spec.has(Trait.FEED_FORWARD_BIAS)
        && !spec.has(Trait.GELU)
        && (adapter == null || adapter.modules().stream().noneMatch(m -> m.contains(".experts.")));
  }

  /**
   * Returns the texts for a model with {@code precision} on {@code device}, whose tensors are not
   * joined. Only on its compute thread.
   */
  public static DeviceTexts of(Device device, DecoderSpec spec, Precision precision) {
    return of(device, spec, precision, false);
  }

  /** Returns the same for tensors that may be joined ({@link Parameters#join}). */
  public static DeviceTexts of(
      Device device, DecoderSpec spec, Precision precision, boolean joined) {
    CardOperators operators = device.cardOperators();
    if (operators == null || precision.batchInvariant()) {
      return processor();
    }
    return card(
        spec, device.accelerated() ? usable(operators, spec, precision) : operators, joined);
  }

  /** Returns those of {@code operators} that compute in this model's formats and sizes. */
  private static CardOperators usable(
      CardOperators operators, DecoderSpec spec, Precision precision) {
    boolean narrow = precision.dtype() == Dtype.BF16;
    int size = spec.attention().headSize();
    boolean flash = narrow && size % FLASH_MULTIPLE == 0 && size <= FLASH_MOST;
    boolean wide = narrow && precision.logits() == precision.compute();
    boolean grouped =
        narrow
            && spec.hidden() % GROUPED_MULTIPLE == 0
            && spec.intermediate() % GROUPED_MULTIPLE == 0;
    return new CardOperators(
        flash ? operators.flash() : null,
        wide ? operators.wideProduct() : null,
        grouped ? operators.groupedProduct() : null);
  }

  private static List<String> read(String... names) {
    return Stream.of(names).map(name -> Kernels.source(DeviceTexts.class, name)).toList();
  }
}
