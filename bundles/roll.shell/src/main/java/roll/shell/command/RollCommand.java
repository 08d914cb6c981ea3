package roll.shell.command;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.osgi.service.component.annotations.ComponentPropertyType;

/**
 * Makes a component a Gogo command. Gogo's own annotation would do the same and require a whole
 * shell beside it; these are only the service properties.
 */
@ComponentPropertyType
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface RollCommand {
  /** What the names below begin with as service properties. */
  String PREFIX_ = "osgi.command.";

  /** Scope of the command. */
  String scope() default "roll";

  /** Name of the command. */
  String function();
}
