package roll.config.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceMappingTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "list(range(0,4))            | 0, 1, 2, 3",
        "list(range(3))              | 0, 1, 2",
        "list(range(0, 8, 2))        | 0, 2, 4, 6",
        "list(range(3,-1,-1))        | 3, 2, 1, 0",
        "list(range(0,2)) + [6]      | 0, 1, 6",
        "[0,1]                       | 0, 1",
        "[2] + list(range(4,6)) + 9  | 2, 4, 5, 9",
        "list([6,7])                 | 6, 7",
        "[]                          | ''",
        "5                           | 5",
      })
  void textsAreAGrammar(String text, String devices) {
    assertEquals("[" + devices + "]", DeviceMapping.devices("f: k", text).toString());
  }

  @Test
  void listsNumbersAndNothing() {
    assertEquals(List.of(0, 3), DeviceMapping.devices("f: k", List.of(0, 3)));
    assertEquals(List.of(2), DeviceMapping.devices("f: k", 2));
    assertEquals(List.of(), DeviceMapping.devices("f: k", null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "range(0,4)",
        "list(range(0,4)",
        "[0,1] +",
        "__import__('os').system('x')",
        "[a]",
        "''",
        "cuda:0",
      })
  void anythingElseIsRefused(String text) {
    assertEquals(
        "f: k: expected null, [0,1], list(range(0,8)) or several of them joined by +, found '"
            + text
            + "'",
        refusal(text));
  }

  @Test
  void numbersMustMakeSense() {
    assertEquals(
        "f: k: device numbers start at 0, found 'list(range(-2,1))'", refusal("list(range(-2,1))"));
    assertEquals("f: k: a device is named twice, found '[0,1] + 1'", refusal("[0,1] + 1"));
    assertEquals(
        "f: k: the step of a range is not 0, found 'list(range(0,1,0))'",
        refusal("list(range(0,1,0))"));
    assertEquals(
        "f: k: at most 4096 devices, found 'list(range(0,99999))'",
        refusal("list(range(0,99999))"));
  }

  private static String refusal(String text) {
    return userError(() -> DeviceMapping.devices("f: k", text));
  }
}
