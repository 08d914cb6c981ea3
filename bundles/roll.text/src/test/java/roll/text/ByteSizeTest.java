package roll.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteSizeTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1.00 KiB",
    "1536, 1.50 KiB",
    "1048570, 1023.99 KiB",
    "1048571, 1.00 MiB", // 1023.995 KiB, which would be shown as 1024.00
    "988098324, 942.32 MiB",
    "1073741824, 1.00 GiB",
    "85899345920, 80.00 GiB",
    "1099511627776, 1.00 TiB",
    "1125899906842624, 1024.00 TiB",
    "9223372036854775807, 8388608.00 TiB"
  })
  void areInTheLargestUnitThatFits(long bytes, String shown) {
    assertEquals(shown, ByteSize.of(bytes));
  }
}
