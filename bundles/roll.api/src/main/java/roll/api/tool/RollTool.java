package roll.api.tool;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.osgi.annotation.bundle.Attribute;
import org.osgi.annotation.bundle.Capability;
import org.osgi.service.component.annotations.ComponentPropertyType;

/**
 * Property annotation that names a {@link Tool} service, as in {@code
 * custom_envs.<tag>.agent.tools}.
 *
 * <p>One annotation gives both the service property {@code roll.tool} and a capability of that
 * namespace, so that a distribution can require the bundle by what it offers.
 */
@Capability(namespace = "roll.tool", version = "1.0.0")
@ComponentPropertyType
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface RollTool {
  /** The names a configuration may use; the first is the canonical one. */
  @Attribute("roll.tool")
  String[] value();
}
