package roll.torch.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Experts;
import roll.testkit.SmallDecoder;
import roll.torch.CardOperators;
import roll.torch.Kernels;

/**
 * The kernel texts for cards, with all operators, read nothing from a tensor: that would wait for
 * the card. A test of {@code cnf} lists what the texts for all devices read.
 */
final class HostReadsTest {
  private static final DecoderSpec EXPERTS =
      SmallDecoder.decoder(11, 16, 24, 2, 4, 2, Set.of()).of(new Experts(4, 2, true));

  /**
   * Conversions to numbers of the host, copies to it, operators whose size depends on data, and one
   * that checks its index on the host.
   */
  private static final Pattern READS =
      Pattern.compile(
          "\\b(int|float|bool)\\(|\\.(item|tolist|nonzero|cpu|masked_select)\\("
              + "|torch\\.(_?unique\\w*|nonzero|bincount|masked_select|repeat_interleave|equal)\\("
              + "|\\.to\\([^)]*cpu|index_put_?\\(");

  private static final CardOperators ALL =
      new CardOperators(
          source("flash.py"), source("wide_product.py"), source("grouped_product.py"));

  private static String source(String name) {
    return Kernels.source(DeviceTexts.class, name);
  }

  private static List<String> reads(List<String> sources) {
    List<String> found = new ArrayList<>();
    sources.stream()
        .flatMap(String::lines)
        .map(line -> line.replaceFirst("#.*", ""))
        .forEach(
            line -> {
              Matcher read = READS.matcher(line);
              while (read.find()) {
                found.add(read.group() + " in" + line.stripTrailing());
              }
            });
    return found;
  }

  @Test
  void textsForCardsReadNothingFromATensor() {
    for (boolean joined : new boolean[] {true, false}) {
      DeviceTexts dense = DeviceTexts.card(SmallDecoder.SPEC, ALL, joined);
      assertTrue(dense.sources().size() > 6);
      assertEquals(List.of(), reads(withoutExperts(dense.sources())));
    }
    assertEquals(List.of(), reads(DeviceTexts.card(EXPERTS, ALL, true).sources()));
  }

  /** Experts one by one are compiled with dense models too, but never run. */
  private static List<String> withoutExperts(List<String> sources) {
    return sources.stream().filter(source -> !source.contains("def experts(")).toList();
  }

  @Test
  void readsAreFound() {
    assertEquals(2, reads(DeviceTexts.card(EXPERTS, ALL, false).sources()).size());
    assertEquals(List.of("int( in  n = int(x)"), reads(List.of("  n = int(x)  # not bool(x)")));
  }
}
