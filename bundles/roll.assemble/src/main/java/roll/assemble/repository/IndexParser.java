package roll.assemble.repository;

import aQute.bnd.osgi.repository.XMLResourceParser;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;
import org.osgi.resource.Resource;
import roll.api.option.UserException;
import roll.text.OneLine;

/** Parses an untrusted index with bnd. */
final class IndexParser {
  private IndexParser() {}

  /**
   * Returns the resources of the index {@code content}.
   *
   * @throws UserException if it is no index; also if it is compressed, has a document type, or
   *     refers to other indexes, all of which bnd would follow without limit
   */
  static List<Resource> parse(byte[] content, URI index) {
    try (XMLResourceParser parser =
        new XMLResourceParser(
            new ByteArrayInputStream(plain(content)),
            "index",
            0, // referrals
            new HashSet<>(),
            index)) {
      @Nullable List<Resource> resources = parser.parse();
      if (resources == null) {
        throw new IllegalArgumentException(String.valueOf(parser.getErrors().getFirst()));
      }
      return resources;
    } catch (Exception e) { // bnd declares no other, and throws many on invalid attributes
      throw new UserException(
          OneLine.of(
              RepositoryFiles.shown(index)
                  + ": not the index of an OSGi repository: "
                  + Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName())),
          e);
    }
  }

  private static byte[] plain(byte[] content) throws XMLStreamException {
    if (content.length > 1 && content[0] == 0x1f && content[1] == (byte) 0x8b) {
      throw new IllegalArgumentException("it is compressed");
    }
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    XMLStreamReader reader = factory.createXMLStreamReader(new ByteArrayInputStream(content));
    while (reader.next() != XMLStreamConstants.START_ELEMENT) {
      if (reader.getEventType() == XMLStreamConstants.DTD) {
        throw new IllegalArgumentException("it has a document type (DOCTYPE)");
      }
    }
    return content;
  }
}
