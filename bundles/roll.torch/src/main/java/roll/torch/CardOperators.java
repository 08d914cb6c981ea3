package roll.torch;

import ai.djl.engine.EngineException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operators of libtorch that kernel texts of cards use if this version and card have them;
 * without one, other texts compute the same at a higher cost.
 *
 * @param flash the source of {@code flash} ({@code flash.py}), or null
 * @param wideProduct the source of {@code wide_product} ({@code wide_product.py}), or null
 * @param groupedProduct the source of {@code grouped_product} ({@code grouped_product.py}), or null
 */
public record CardOperators(
    @Nullable String flash, @Nullable String wideProduct, @Nullable String groupedProduct) {
  private static final Logger LOG = LoggerFactory.getLogger(CardOperators.class);

  /** Oldest compute capability with flash attention. */
  private static final double FLASH = 8;

  /** Looks up the operators of {@code card}; one line says what is missing. */
  static CardOperators of(Device card) {
    CardOperators found =
        find(card.capability(), card.engine().getVersion(), source -> compiles(card, source));
    List<String> costs = found.costs();
    if (!costs.isEmpty()) {
      LOG.warn(
          "{} (compute capability {}, libtorch {}): {}",
          card.name(),
          card.capability(),
          card.engine().getVersion(),
          String.join("; ", costs));
    }
    return found;
  }

  /**
   * Returns the operators of a card.
   *
   * @param libtorch its version
   * @param compiles whether libtorch has the operators of a source
   */
  static CardOperators find(double capability, String libtorch, Predicate<String> compiles) {
    return new CardOperators(
        source("flash.py", capability >= FLASH, compiles),
        source("wide_product.py", true, compiles),
        source("grouped_product.py", groups(capability, libtorch), compiles));
  }

  /**
   * Returns whether {@code _grouped_mm} has a kernel for the card. For others it throws in libtorch
   * 2.8, and reads the sizes of groups back in later versions ({@code GroupedBlas.cpp}).
   */
  private static boolean groups(double capability, String libtorch) {
    int generation = (int) capability;
    boolean before10 = libtorch.matches("2\\.\\d\\..*");
    return generation == 9 || (generation == 10 && !before10);
  }

  private static @Nullable String source(String name, boolean capable, Predicate<String> compiles) {
    String source = Kernels.source(CardOperators.class, "model/" + name);
    return capable && compiles.test(source) ? source : null;
  }

  /** Returns whether {@code source} compiles on {@code device}. Only on its compute thread. */
  static boolean compiles(Device device, String source) {
    try (Kernels _ = Kernels.compile(device, Map.of(), List.of(source))) {
      return true;
    } catch (EngineException absent) {
      return false;
    }
  }

  /** Returns what the missing operators cost. */
  List<String> costs() {
    List<String> costs = new ArrayList<>();
    if (flash == null) {
      costs.add(
          "no flash attention, which needs compute capability 8.0: samples attend one by one, with"
              + " masks");
    }
    if (wideProduct == null) {
      costs.add(
          "no mm with out_dtype, which needs libtorch 2.8: logits are rounded to bf16, and copied"
              + " to f32");
    }
    if (groupedProduct == null) {
      costs.add(
          "no _grouped_mm, which needs libtorch 2.8 and compute capability 9, or 2.10 and 10:"
              + " experts are multiplied one by one, and each of their layers waits for the card");
    }
    return costs;
  }
}
