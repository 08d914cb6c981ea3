package roll.shell.command;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.osgi.service.component.annotations.ComponentPropertyType;

/**
 * Makes a component a Gogo command by setting its service properties. Gogo's own annotation would
 * also add a requirement on Gogo's shell.
 */
@ComponentPropertyType
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface RollCommand {
  /** Prefix of the service properties below. */
  String PREFIX_ = "osgi.command.";

  /** Gogo's scope of the command. */
  String scope() default "roll";

  /** Gogo's name of the command. */
  String function();
}
