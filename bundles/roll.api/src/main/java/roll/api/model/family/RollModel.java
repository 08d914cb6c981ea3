package roll.api.model.family;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.osgi.annotation.bundle.Attribute;
import org.osgi.annotation.bundle.Capability;
import org.osgi.service.component.annotations.ComponentPropertyType;

/**
 * Names a {@link ModelFamily} service: the {@code model_type} of config.json.
 *
 * <p>One annotation gives both the service property {@code roll.model} and a capability of that
 * namespace, so that a distribution can require the bundle by what it offers.
 */
@Capability(namespace = "roll.model", version = "1.0.0")
@ComponentPropertyType
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface RollModel {
  /** The names a configuration may use; the first is the canonical one. */
  @Attribute("roll.model")
  String[] value();
}
