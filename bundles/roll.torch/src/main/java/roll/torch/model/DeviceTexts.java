package roll.torch.model;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.Precision;

/**
 * The kernel texts that are chosen by device: the same functions, with the same results within
 * rounding.
 *
 * @param sources TorchScript of attention, norms and sums of embedding gradients
 * @param flash whether {@code sources} have the function {@code flash} ({@code flash.py})
 */
public record DeviceTexts(List<String> sources, boolean flash) {
  /** Head sizes of flash attention: multiples of this number, up to {@link #FLASH_MOST}. */
  private static final int FLASH_MULTIPLE = 8;

  private static final int FLASH_MOST = 256;

  /** Oldest compute capability with flash attention. */
  private static final double FLASH_CAPABILITY = 8;

  /** Returns the texts for processors. */
  public static DeviceTexts processor() {
    return new DeviceTexts(read("norm.py", "attention.py", "add_rows.py"), false);
  }

  /**
   * Returns the texts for cards.
   *
   * @param flash the source of {@code flash}; null if model or card have no flash attention
   */
  public static DeviceTexts card(@Nullable String flash) {
    String attention = flash == null ? "attention.py" : "flash_attention.py";
    List<String> sources = new ArrayList<>(read("fused_norm.py", attention, "card_add_rows.py"));
    if (flash != null) {
      sources.add(flash);
    }
    return new DeviceTexts(List.copyOf(sources), flash != null);
  }

  /** Returns the texts for a model with {@code precision} on {@code device}. */
  public static DeviceTexts of(Device device, DecoderSpec spec, Precision precision) {
    String written = device.writtenFlash();
    if (written != null) {
      return card(written);
    }
    if (!device.accelerated()) {
      return processor();
    }
    int size = spec.attention().headSize();
    boolean flash =
        precision.dtype() == Dtype.BF16
            && size % FLASH_MULTIPLE == 0
            && size <= FLASH_MOST
            && device.capability() >= FLASH_CAPABILITY;
    return card(flash ? read("flash.py").getFirst() : null);
  }

  private static List<String> read(String... names) {
    return Stream.of(names).map(name -> Kernels.source(DeviceTexts.class, name)).toList();
  }
}
