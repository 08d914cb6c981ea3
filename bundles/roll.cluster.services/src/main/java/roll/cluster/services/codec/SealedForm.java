package roll.cluster.services.codec;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One of the records that a sealed interface permits, behind its simple name, which is looked up
 * among them.
 */
final class SealedForm implements WireForm {
  private final String type;
  private final Map<String, WireForm> permitted = new LinkedHashMap<>();

  /**
   * The form of {@code type}.
   *
   * @param forms of the types that it permits
   */
  SealedForm(Class<?> type, Function<Class<?>, WireForm> forms) {
    this.type = type.getSimpleName();
    for (Class<?> one : type.getPermittedSubclasses()) {
      permitted.put(one.getSimpleName(), forms.apply(one));
    }
  }

  private WireForm form(String name) {
    WireForm form = permitted.get(name);
    if (form == null) {
      throw new MalformedMessageException("there is no " + type + " " + name);
    }
    return form;
  }

  @Override
  public void write(ByteWriter out, @Nullable Object value) {
    String name = value == null ? "null" : value.getClass().getSimpleName();
    out.text(name);
    form(name).write(out, value);
  }

  @Override
  public Object read(ByteReader in) {
    return form(in.text()).present(in);
  }
}
