package roll.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.torch.LinearBackends.Rates;
import roll.torch.LinearBackends.Shape;

/** Rates of linear layers in a file. */
final class LinearRateFileTest {
  private static final Shape WIDE = new Shape(768, 2048);
  private static final Shape SMALL = new Shape(96, 96);

  @TempDir private Path folder;

  private LinearRateFile file(String machine) {
    return new LinearRateFile(folder.resolve("cache").resolve("linear.json"), machine);
  }

  @Test
  void whatIsAddedIsRead() {
    assertEquals(Map.of(), file("a").read());
    Map<Shape, Rates> first = Map.of(WIDE, new Rates(129.7e9, 300e9));
    assertEquals(first, file("a").add(first));
    assertEquals(first, file("a").read());
    Map<Shape, Rates> other = Map.of(SMALL, new Rates(50e9, 40e9));
    assertEquals(Set.of(WIDE, SMALL), file("a").add(other).keySet());
    assertEquals(Map.of(), file("b").read(), "another machine's or library's");
    file("b").add(other);
    assertEquals(first.get(WIDE), file("a").read().get(WIDE));
  }

  @Test
  void whatIsThereStays() {
    Map<Shape, Rates> first = Map.of(WIDE, new Rates(100e9, 300e9));
    file("a").add(first);
    assertEquals(first, file("a").add(Map.of(WIDE, new Rates(300e9, 100e9))));
    assertEquals(first, file("a").read());
  }

  @Test
  void allWhoMeasureAtOnceAgree() throws Exception {
    List<Callable<Map<Shape, Rates>>> measured =
        IntStream.rangeClosed(1, 16)
            .<Callable<Map<Shape, Rates>>>mapToObj(
                i -> () -> file("a").add(Map.of(WIDE, new Rates(i * 1e9, 1e9))))
            .toList();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (Future<Map<Shape, Rates>> added : threads.invokeAll(measured)) {
        assertEquals(file("a").read(), added.get());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "null",
        "7",
        "{\"a\": 3}",
        "{\"a\": {\"768x\": {}}}",
        "{\"a\": {\"0x5\": {\"libtorch\": 1, \"onednn\": 1}}}",
        "{\"a\": {\"768x2048\": {\"libtorch\": 1}}}",
        "{\"a\": {\"768x2048\": {\"libtorch\": \"fast\", \"onednn\": 1}}}",
        "{\"a\": {\"99999999999x1\": {\"libtorch\": 1, \"onednn\": 1}}}"
      })
  void aDamagedFileIsWrittenAnew(String text) throws IOException {
    Files.createDirectories(folder.resolve("cache"));
    Files.writeString(folder.resolve("cache").resolve("linear.json"), text);
    assertEquals(Map.of(), file("a").read());
    Map<Shape, Rates> rates = Map.of(WIDE, new Rates(100e9, 300e9));
    assertEquals(rates, file("a").add(rates));
    assertEquals(rates, file("a").read());
  }

  @Test
  void whereNothingCanBeWrittenRatesAreUsedAllTheSame() throws IOException {
    Files.writeString(folder.resolve("cache"), "a file where a folder should be");
    Map<Shape, Rates> rates = Map.of(WIDE, new Rates(100e9, 300e9));
    assertEquals(rates, file("a").add(rates));
    assertEquals(Map.of(), file("a").read());
  }

  @Test
  void onlyWhatIsClearlyFasterIsChosen() {
    assertTrue(new Rates(100, 126).byOneDnn());
    assertFalse(new Rates(100, 124).byOneDnn());
    assertFalse(new Rates(100, 50).byOneDnn());
  }

  @Test
  void theProcessorHasAName() {
    assertEquals("A 9 Core", Processor.name("processor : 0\nmodel name\t: A 9 Core \nflags: x\n"));
    assertEquals(System.getProperty("os.arch"), Processor.name("Hardware : y\n"));
    assertFalse(Processor.name().isBlank());
    String zen = "processor : 0\nflags\t\t: fpu avx2 fma%s\nprocessor : 1\n";
    assertFalse(Processor.multipliesBf16(zen.formatted("")));
    assertFalse(Processor.multipliesBf16(zen.formatted(" avx512f avx512_vnni")));
    assertTrue(Processor.multipliesBf16(zen.formatted(" avx512f avx512_bf16 gfni")));
    assertTrue(Processor.multipliesBf16(zen.formatted(" amx_bf16")));
    assertTrue(Processor.multipliesBf16("Features\t: fp asimd i8mm bf16 dgh\n"));
    assertFalse(Processor.multipliesBf16("Features\t: fp asimd\n"));
    assertTrue(Processor.multipliesBf16(""), "nothing is known");
  }
}
