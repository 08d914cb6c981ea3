package roll.config;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.config.dialect.Translation.How;
import roll.config.schema.Key;
import roll.config.schema.Schema;
import roll.config.schema.ValueType;
import roll.config.trl.TrlTable;
import roll.config.trl.TrlTrainer;
import roll.config.verl.VerlKey;
import roll.config.verl.VerlTable;
import roll.runtime.config.KeyReference;

/** Reads the {@code .keys} tables for lookup. */
@Component(name = "roll.config.keys")
public final class KeyTables implements KeyReference {
  @Override
  public List<Entry> keys(String framework) {
    return switch (framework) {
      case "roll" -> roll();
      case "verl" -> verl(false);
      case "agentfly" -> verl(true);
      case "trl" -> trl();
      default -> throw new IllegalArgumentException("framework " + framework);
    };
  }

  private static List<Entry> roll() {
    List<Entry> entries = new ArrayList<>();
    section(new Schema(), Schema.RUN, "", entries);
    return entries;
  }

  private static void section(Schema schema, String name, String path, List<Entry> entries) {
    for (Key key : schema.section(name).values()) {
      if (key.type() instanceof ValueType.Sub type && key.status() == Key.Status.SUPPORTED) {
        String inner = path + key.name() + (type.named() ? ".<name>." : ".");
        section(schema, type.section(), inner, entries);
      } else {
        entries.add(
            new Entry(
                path + key.name(),
                key.type().allowed(),
                key.required() ? "required" : shown(key.standard()),
                switch (key.status()) {
                  case SUPPORTED -> "used";
                  case TRANSLATED -> "translated";
                  case NO_EFFECT -> "ignored";
                  case LATER -> "refused";
                },
                "",
                key.reason().equals("later") ? "" : key.reason()));
      }
    }
  }

  /** Keys that only verl's supervised training has are followed by its trainer in brackets. */
  private static List<Entry> verl(boolean agents) {
    Stream<Entry> run =
        new VerlTable()
            .keys().stream()
                .filter(key -> agents || !key.path().startsWith("agent."))
                .map(key -> entry(key, key.path(), agents));
    Stream<Entry> supervised =
        agents
            ? Stream.empty()
            : VerlTable.ofSft().keys().stream()
                .map(key -> entry(key, key.path() + " [sft_trainer]", false));
    return Stream.concat(run, supervised).toList();
  }

  private static Entry entry(VerlKey key, String name, boolean agents) {
    return new Entry(
        name,
        key.type().allowed(),
        shown(agents ? key.agentStandard() : key.standard()),
        status(key.how()),
        key.ours(),
        key.text());
  }

  /** Keys of some commands are followed by these in brackets. */
  private static List<Entry> trl() {
    return new TrlTable()
        .keys().stream()
            .map(
                key ->
                    new Entry(
                        key.trainers().size() == TrlTrainer.values().length
                            ? key.name()
                            : "%s [%s]"
                                .formatted(
                                    key.name(),
                                    key.trainers().stream()
                                        .map(TrlTrainer::word)
                                        .collect(Collectors.joining(", "))),
                        key.type().allowed(),
                        shown(key.standard()),
                        status(key.how()),
                        key.ours(),
                        key.text()))
            .toList();
  }

  private static String status(How how) {
    return switch (how) {
      case COPIED -> "used";
      case MADE -> "translated";
      case ALIAS -> "alias";
      case NO_EFFECT -> "ignored";
      case LATER -> "refused";
    };
  }

  private static String shown(@Nullable Object standard) {
    return standard == null ? "" : String.valueOf(standard);
  }
}
