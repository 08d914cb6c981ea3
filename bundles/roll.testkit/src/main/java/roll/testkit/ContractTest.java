package roll.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks the test of one guarantee that a contract demands. The message of a failure begins with the
 * guarantee and where to look, and then says what was found.
 */
@Test
@ExtendWith(GuaranteeReport.class)
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface ContractTest {
  /** The guarantee, a sentence. */
  String value();

  /** The methods of the plugin that usually break the guarantee, and what to check in them. */
  String look();
}
