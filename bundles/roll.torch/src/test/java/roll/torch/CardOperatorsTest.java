package roll.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Operators are looked up, and the cost of a missing one is reported. */
final class CardOperatorsTest {
  private static List<String> missing(CardOperators operators) {
    return operators.costs().stream().map(cost -> cost.replaceFirst(",.*", "")).toList();
  }

  @Test
  void aNewCardWithANewLibtorchHasAll() {
    assertEquals(List.of(), missing(CardOperators.find(9, "2.11.0", source -> true)));
  }

  @Test
  void anOldCardLacksFlashAttentionAndGroupedProducts() {
    CardOperators found = CardOperators.find(7.5, "2.11.0", source -> true);
    assertEquals(List.of("no flash attention", "no _grouped_mm"), missing(found));
    assertNull(found.flash());
    assertNotNull(found.wideProduct());
  }

  @Test
  void anOldLibtorchLacksNewOperators() {
    CardOperators found =
        CardOperators.find(9, "2.11.0", source -> source.contains("flash_attention"));
    assertEquals(List.of("no mm with out_dtype", "no _grouped_mm"), missing(found));
  }

  @ParameterizedTest
  @CsvSource({
    "8.9, 2.11.0, false",
    "9.0, 2.8.0, true",
    "10.0, 2.8.0, false",
    "10.0, 2.9.1, false",
    "10.0, 2.10.0, true",
    "12.0, 2.11.0, false"
  })
  void groupedProductsAreThoseOfTheirCards(double capability, String libtorch, boolean found) {
    CardOperators operators = CardOperators.find(capability, libtorch, source -> true);
    assertEquals(found, operators.groupedProduct() != null);
  }

  /** The libtorch that comes with roll, 2.7.1, has the first operator alone, one of 2.8 has all. */
  @Test
  void theLibraryIsAsked() {
    try (Device device = Device.cpu(1)) {
      device.call(
          () -> {
            assertTrue(CardOperators.compiles(device, source("flash.py")));
            boolean all = !device.engine().getVersion().startsWith("2.7.");
            assertEquals(all, CardOperators.compiles(device, source("wide_product.py")));
            assertEquals(all, CardOperators.compiles(device, source("grouped_product.py")));
            assertNull(device.cardOperators());
            return true;
          });
    }
  }

  private static String source(String name) {
    return Kernels.source(CardOperators.class, "model/" + name);
  }
}
