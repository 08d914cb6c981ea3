package roll.testkit;

import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/** Reports a failed {@link ContractTest} by its guarantee, where to look, and what was found. */
final class GuaranteeReport implements TestExecutionExceptionHandler {
  /** JUnit's suffix of a failed assertion on a boolean, which repeats the message before it. */
  private static final Pattern BOOLEANS =
      Pattern.compile(" ==> expected: <(true|false)> but was: <(true|false)>$");

  /** The maximum number of characters of a finding; the cause has the rest. */
  private static final int LONGEST = 500;

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    if (failure instanceof TestAbortedException) {
      throw failure;
    }
    ContractTest broken =
        Objects.requireNonNull(
            context.getRequiredTestMethod().getAnnotation(ContractTest.class), "annotation");
    throw new AssertionError(message(broken.value(), broken.look(), failure), failure);
  }

  /** Returns the message of {@code failure} behind the guarantee that it breaks. */
  static String message(String guarantee, String look, Throwable failure) {
    String found =
        failure instanceof AssertionError && failure.getMessage() != null
            ? BOOLEANS.matcher(failure.getMessage()).replaceFirst("")
            : failure.toString();
    String shown = found.length() > LONGEST ? found.substring(0, LONGEST) + " …" : found;
    return "broken: " + guarantee + "\n  look at: " + look + "\n  found: " + shown;
  }
}
