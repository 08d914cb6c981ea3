package roll.tool.calculator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import roll.api.option.Options;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;
import roll.testkit.TestOptions;

/** Values computed by hand, and typical input of people and models. */
class CalculatorTest {
  private final Calculator calculator = new Calculator();

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1+1; 2",
        "2*(3+4); 14",
        "48/2; 24",
        "7/3; 7/3",
        "-6/4; -3/2",
        "1/3 + 1/6; 1/2",
        "2**10; 1024",
        "2^10; 1024",
        "2**3**2; 512",
        "-2**2; -4",
        "2**-2; 1/4",
        "2**100; 1267650600228229401496703205376",
        "17 % 5; 2",
        "-7 % 3; 2",
        "17 // 5; 3",
        "-7 // 2; -4",
        "15%; 3/20",
        "15% * 200; 30",
        "(10+5) % 4; 3",
        "5!; 120",
        "factorial(6); 720",
        "comb(10, 3); 120",
        "gcd(12, 18); 6",
        "lcm(4, 6, 10); 60",
        "max(3, 7/2, 1); 7/2",
        "abs(-5); 5",
        "floor(7/2) + ceil(7/2); 7",
        "sqrt(16); 4",
        "sqrt(1/4); 1/2",
        "cbrt(-8); -2",
        "1_000 + 1; 1001",
        "2(3+4); 14",
        "2 × 3 − 8 ÷ 4; 4",
        "log(8, 2); 3",
        "log10(1000); 3",
        "sin(pi/6); 1/2",
        "cos(0); 1",
        "e**0; 1",
      })
  void rationalNumbersAreExact(String expression, String value) throws InterruptedException {
    assertEquals(ToolResult.of(value), calculator.calculate(expression));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "sqrt(2); 1.41421",
        "pi; 3.14159",
        "100*pi; 314.159",
        "e; 2.71828",
        "1e6*pi; 3.14159e+06",
        "exp(-12); 6.14421e-06",
        "0.1+0.2; 0.3",
        "0.5*3; 1.5",
        "2.0*3; 6",
        "1.0/3; 0.333333",
        "2.5e3; 2500",
        "1234567.0; 1.23457e+06",
        "log(10); 2.30259",
        "atan(1)*4; 3.14159",
      })
  void otherNumbersHaveSixDigits(String expression, String value) throws InterruptedException {
    assertEquals(ToolResult.of(value), calculator.calculate(expression));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "x + x; 2*x",
        "(x+1)**2 - x**2 - 2*x; 1",
        "sin(t)**2 + cos(t)**2; 1",
        "expand((a+1)**2); 1+2*a+a**2",
        "factor(b**2-1); (-1+b)*(1+b)",
        "diff(x**3, x); 3*x**2",
        "A + A; 2*A",
        "sqrt(-4); I*2",
      })
  void symbolsStayExpressions(String expression, String value) throws InterruptedException {
    assertEquals(ToolResult.of(value), calculator.calculate(expression));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "1,000 + 2| ',' stands between the arguments of a function only; write 1000 for 1,000",
        "$5 + 2| '$' has no meaning in an expression",
        "2 +| the expression ends too early",
        "(2 + 3| ')' is missing",
        "2 + 3)| ')' is not expected after what precedes it",
        "3 4| '4' is not expected after what precedes it",
        "sqrt(1, 2)| sqrt takes 1 argument, found 2",
        "1/0| the value is not defined; is there a division by zero?",
        "0/0| the value is not defined; is there a division by zero?",
        "1e999| an exponent beyond 300",
        "x = 5| '=' has no meaning in an expression",
      })
  void errorsAreOneLine(String expression, String error) throws InterruptedException {
    assertEquals(ToolResult.error("Error: " + error), calculator.calculate(expression));
  }

  static Stream<String> hostile() {
    return Stream.of(
        "",
        "   ",
        "9**9**9**9",
        "9**(9**9)",
        "10**(10**100)",
        "2**99999999",
        "(10!)!",
        "99999999!",
        "((9!)!)!",
        "comb(1000000000, 500000000)",
        "7**7**7 % 10",
        "(a+b+c+d+e1+f)**500",
        "expand((a+b+c+d)**200)",
        "(".repeat(1_500),
        "(".repeat(900) + "1" + ")".repeat(900),
        "1+".repeat(5_000) + "1",
        "9".repeat(1_900),
        "-".repeat(1_999) + "x!!",
        "2" + "**2".repeat(300),
        "Import(\"/etc/passwd\")",
        "Get(\"/etc/passwd\")",
        "Run(\"ls\")",
        "RunProcess(\"ls\")",
        "Export(\"/tmp/x\", 1)",
        "ReadString(x)",
        "URLFetch(x)",
        "Java(x)",
        "JavaNew(\"java.io.File\")",
        "ToExpression(x)",
        "__import__('os').system('ls')",
        "open('/etc/passwd').read()",
        "lambda: 0",
        "x; Quit()",
        "While(True, 1)",
        "Table(i, 1000000000)",
        "Sin(x)",
        "\u0000\ud800",
        "x:=5",
        "a&&b");
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void hostileExpressionsEndInAnError(String expression) {
    ToolResult result =
        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> calculator.calculate(expression));
    assertEquals(ToolResult.Status.ERROR, result.status(), result.observation());
    assertTrue(result.observation().startsWith("Error: "), result.observation());
    assertEquals(1, result.observation().lines().count(), result.observation());
  }

  @Test
  void isOneToolWithOneArgument() throws Exception {
    Options none = TestOptions.of("tool_config.calculator", Map.of(), calculator.options());
    try (ToolSet tools = calculator.configure(none);
        ToolSession session = tools.open(0)) {
      assertEquals(1, tools.tools().size());
      assertEquals("calculator", tools.tools().getFirst().name());
      assertEquals(List.of("expression"), tools.tools().getFirst().required());
      assertEquals(
          ToolResult.of("72"), session.call("calculator", Map.of("expression", "48 + 48/2")));
    }
  }

  @Test
  void manyThreadsGetTheirOwnValues() {
    boolean right =
        IntStream.range(0, 200)
            .parallel()
            .allMatch(i -> unchecked(i + "**2 + x - x").observation().equals("" + i * i));
    assertTrue(right);
  }

  private ToolResult unchecked(String expression) {
    try {
      return calculator.calculate(expression);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
