package roll.api.preference;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.osgi.annotation.bundle.Attribute;
import org.osgi.annotation.bundle.Capability;
import org.osgi.service.component.annotations.ComponentPropertyType;

/**
 * Property annotation that names a {@link PreferenceObjective} service, as in {@code
 * preference.objective}: the service property {@code roll.preference} and a capability of that
 * namespace.
 */
@Capability(namespace = "roll.preference", version = "1.0.0")
@ComponentPropertyType
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface RollPreference {
  /** The names a configuration may use; the first is the canonical one. */
  @Attribute("roll.preference")
  String[] value();
}
